/*
 * What is a secret, unless the user says otherwise. Tokens that say what they are by their prefix, and patterns for values that
 * are secret because of what stands in front of them. Prefixes, lengths and alphabets are what their issuers say of them.
 *
 * Patterns see text as it is read, without escape sequences, and bytes, not characters. Each begins with something fixed,
 * so that the prefilter finds it, and has an end to everything that a terminal might print for long without its being a secret.
 * What a group named "secret" matches is one; "password" if it is not code or a placeholder, "random" if it is besides nothing
 * that a person would choose for a name (term/redact_value).
 */
#include "term/redact.h"
#include "term/redact_token.h"

#include "base/compiler.h"

const struct redact_token REDACT_TOKENS[] = {
    /* Code hosts and registries */
    {"github", "ghp_", TOKEN_WORD, 36, 255, 0, false},
    {"github", "gho_", TOKEN_WORD, 36, 255, 0, false},
    {"github", "ghu_", TOKEN_WORD, 36, 255, 0, false},
    {"github", "ghs_", TOKEN_DOT, 36, 1024, 0, false},
    {"github", "ghr_", TOKEN_WORD, 36, 255, 0, false},
    {"github", "github_pat_", TOKEN_URL, 22, 255, 0, false},
    {"gitlab", "glpat-", TOKEN_DOT, 20, 320, 0, false},
    {"gitlab", "glptt-", TOKEN_HEX, 40, 40, 0, false},
    {"gitlab", "gldt-", TOKEN_URL, 20, 64, 0, false},
    {"gitlab", "glrt-", TOKEN_DOT, 20, 320, 0, false},
    {"gitlab", "glrtr-", TOKEN_DOT, 20, 320, 0, false},
    {"gitlab", "glcbt-", TOKEN_URL, 20, 64, 0, false},
    {"gitlab", "glft-", TOKEN_URL, 20, 64, 0, false},
    {"gitlab", "glffct-", TOKEN_URL, 20, 64, 0, false},
    {"gitlab", "glimt-", TOKEN_URL, 25, 64, 0, false},
    {"gitlab", "glagent-", TOKEN_URL, 50, 64, 0, false},
    {"gitlab", "gloas-", TOKEN_URL, 64, 64, 0, false},
    {"gitlab", "glsoat-", TOKEN_URL, 20, 64, 0, false},
    {"gitlab", "GR1348941", TOKEN_URL, 20, 64, 0, false},
    {"bitbucket", "ATBB", TOKEN_WORD, 32, 64, 0, false},
    {"bitbucket", "ATCTT3", TOKEN_DOT, 100, 320, 0, false},
    {"npm", "npm_", TOKEN_WORD, 36, 36, 0, false},
    {"pypi", "pypi-AgE", TOKEN_URL, 50, 1024, 0, false},
    {"rubygems", "rubygems_", TOKEN_HEX, 48, 48, 0, false},
    {"clojars", "CLOJARS_", TOKEN_WORD, 60, 60, 0, false},
    {"docker", "dckr_pat_", TOKEN_URL, 27, 64, 0, false},
    {"docker", "dckr_oat_", TOKEN_URL, 27, 64, 0, false},
    {"artifactory", "AKCp", TOKEN_WORD, 69, 69, 0, false},
    {"artifactory", "cmVmd", TOKEN_WORD, 59, 59, 0, false},
    {"sourcegraph", "sgp_", TOKEN_URL, 40, 64, 0, false},
    {"sonar", "sqp_", TOKEN_HEX, 40, 40, 0, false},
    {"sonar", "squ_", TOKEN_HEX, 40, 40, 0, false},
    {"sonar", "sqa_", TOKEN_HEX, 40, 40, 0, false},
    /* Models */
    {"anthropic", "sk-ant-", TOKEN_URL, 16, 160, 0, false},
    {"openai", "sk-proj-", TOKEN_URL, 18, 200, 0, false},
    {"openai", "sk-svcacct-", TOKEN_URL, 18, 200, 0, false},
    {"openai", "sk-admin-", TOKEN_URL, 18, 200, 0, false},
    {"openrouter", "sk-or-", TOKEN_URL, 32, 96, 0, false},
    {"openai", "sk-", TOKEN_WORD, 20, 64, 0, false},
    {"huggingface", "hf_", TOKEN_WORD, 34, 40, 0, false},
    {"huggingface", "api_org_", TOKEN_WORD, 34, 40, 0, false},
    {"replicate", "r8_", TOKEN_WORD, 37, 37, 0, false},
    {"groq", "gsk_", TOKEN_WORD, 48, 64, 0, false},
    {"perplexity", "pplx-", TOKEN_WORD, 40, 64, 0, false},
    {"xai", "xai-", TOKEN_WORD, 64, 96, 0, false},
    {"langsmith", "lsv2_", TOKEN_URL, 36, 64, 0, false},
    {"tavily", "tvly-", TOKEN_URL, 28, 64, 0, false},
    {"pinecone", "pcsk_", TOKEN_URL, 50, 96, 0, false},
    {"nvidia", "nvapi-", TOKEN_URL, 60, 80, 0, false},
    {"wandb", "wandb_v1_", TOKEN_URL, 30, 96, 0, false},
    {"privateai", "ico-", TOKEN_WORD, 32, 32, 0, false},
    /* Clouds */
    {"aws", "AKIA", TOKEN_UPPER, 16, 16, 0, false},
    {"aws", "ASIA", TOKEN_UPPER, 16, 16, 0, false},
    {"aws", "ABIA", TOKEN_UPPER, 16, 16, 0, false},
    {"aws", "ACCA", TOKEN_UPPER, 16, 16, 0, false},
    {"aws", "ABSK", TOKEN_BASE64, 100, 280, 0, false},
    {"aws", "bedrock-api-key-", TOKEN_BASE64, 28, 1024, 0, false},
    {"google", "AIza", TOKEN_URL, 35, 35, 0, false},
    {"google", "ya29.", TOKEN_DOT, 30, 1024, 0, false},
    {"google", "GOCSPX-", TOKEN_URL, 28, 28, 0, false},
    {"google", "GOOG1E", TOKEN_WORD, 54, 60, 0, false},
    {"digitalocean", "dop_v1_", TOKEN_HEX, 64, 64, 0, false},
    {"digitalocean", "doo_v1_", TOKEN_HEX, 64, 64, 0, false},
    {"digitalocean", "dor_v1_", TOKEN_HEX, 64, 64, 0, false},
    {"alibaba", "LTAI", TOKEN_WORD, 16, 20, 0, false},
    {"tencent", "AKID", TOKEN_WORD, 32, 32, 0, false},
    {"yandex", "AQVN", TOKEN_URL, 35, 38, 0, false},
    {"yandex", "YCAJ", TOKEN_URL, 20, 38, 0, false},
    {"heroku", "HRKU-AA", TOKEN_URL, 58, 58, 0, false},
    {"fly", "fo1_", TOKEN_URL, 43, 43, 0, false},
    {"fly", "fm1a_", TOKEN_BASE64, 100, 1024, 0, false},
    {"fly", "fm1r_", TOKEN_BASE64, 100, 1024, 0, false},
    {"fly", "fm2_", TOKEN_BASE64, 100, 1024, 0, false},
    {"scalingo", "tk-us-", TOKEN_URL, 48, 48, 0, false},
    {"vercel", "vcp_", TOKEN_WORD, 24, 64, 0, false},
    {"netlify", "nfp_", TOKEN_WORD, 36, 40, 0, false},
    {"render", "rnd_", TOKEN_WORD, 28, 40, 0, false},
    {"supabase", "sbp_", TOKEN_HEX, 40, 40, 0, false},
    {"supabase", "sb_secret_", TOKEN_URL, 24, 64, 0, false},
    {"planetscale", "pscale_", TOKEN_DOT, 35, 80, 0, false},
    {"neon", "napi_", TOKEN_WORD, 40, 80, 0, false},
    {"databricks", "dapi", TOKEN_HEX, 32, 32, 0, false},
    {"confluent", "cflt", TOKEN_BASE64, 56, 72, 0, false},
    {"openshift", "sha256~", TOKEN_URL, 43, 43, 0, false},
    /* Secrets of secrets */
    {"vault", "hvs.", TOKEN_URL, 24, 160, 0, false},
    {"vault", "hvb.", TOKEN_URL, 100, 400, 0, false},
    {"vault", "hvr.", TOKEN_URL, 24, 400, 0, false},
    {"doppler", "dp.pt.", TOKEN_WORD, 40, 44, 0, false},
    {"doppler", "dp.st.", TOKEN_DOT, 40, 80, 0, false},
    {"doppler", "dp.ct.", TOKEN_WORD, 40, 44, 0, false},
    {"doppler", "dp.sa.", TOKEN_WORD, 40, 44, 0, false},
    {"doppler", "dp.scim.", TOKEN_WORD, 40, 44, 0, false},
    {"doppler", "dp.audit.", TOKEN_WORD, 40, 44, 0, false},
    {"1password", "ops_eyJ", TOKEN_BASE64, 200, 2048, 0, false},
    {"1password", "A3-", TOKEN_DASH, 36, 37, 0, false},
    {"age", "AGE-SECRET-KEY-1", TOKEN_UPPER, 58, 58, 0, false},
    {"age", "AGE-SECRET-KEY-PQ-1", TOKEN_UPPER, 58, 128, 0, false},
    {"terraform", "atlasv1.", TOKEN_URL, 60, 70, 0, false},
    {"tailscale", "tskey-", TOKEN_DASH, 24, 96, 0, false},
    {"nostr", "nsec1", TOKEN_WORD, 58, 58, 0, false},
    /* Talk and mail */
    {"slack", "xoxb-", TOKEN_DASH, 20, 120, 0, false},
    {"slack", "xoxp-", TOKEN_DASH, 20, 120, 0, false},
    {"slack", "xoxa-", TOKEN_DASH, 10, 120, 0, false},
    {"slack", "xoxr-", TOKEN_DASH, 10, 120, 0, false},
    {"slack", "xoxs-", TOKEN_DASH, 10, 120, 0, false},
    {"slack", "xoxo-", TOKEN_DASH, 10, 120, 0, false},
    {"slack", "xoxc-", TOKEN_DASH, 20, 160, 0, false},
    {"slack", "xoxd-", TOKEN_ANY, 20, 400, 0, false},
    {"slack", "xoxe-", TOKEN_DASH, 20, 200, 0, false},
    {"slack", "xoxe.xoxb-", TOKEN_DASH, 100, 200, 0, false},
    {"slack", "xoxe.xoxp-", TOKEN_DASH, 100, 200, 0, false},
    {"slack", "xapp-", TOKEN_DASH, 30, 160, 0, false},
    {"sendgrid", "SG.", TOKEN_DOT, 60, 70, 1, false},
    {"sendinblue", "xkeysib-", TOKEN_DASH, 81, 81, 0, false},
    {"sendinblue", "xsmtpsib-", TOKEN_DASH, 81, 81, 0, false},
    {"mailgun", "key-", TOKEN_HEX, 32, 32, 0, false},
    {"mailgun", "pubkey-", TOKEN_HEX, 32, 32, 0, false},
    {"twilio", "SK", TOKEN_HEX, 32, 32, 0, false},
    /* Money and shops */
    {"stripe", "sk_live_", TOKEN_WORD, 16, 255, 0, false},
    {"stripe", "sk_test_", TOKEN_WORD, 16, 255, 0, false},
    {"stripe", "sk_prod_", TOKEN_WORD, 16, 255, 0, false},
    {"stripe", "rk_live_", TOKEN_WORD, 16, 255, 0, false},
    {"stripe", "rk_test_", TOKEN_WORD, 16, 255, 0, false},
    {"stripe", "rk_prod_", TOKEN_WORD, 16, 255, 0, false},
    {"stripe", "whsec_", TOKEN_BASE64, 32, 64, 0, false},
    {"square", "EAAA", TOKEN_URL, 60, 64, 0, false},
    {"square", "sq0atp-", TOKEN_URL, 22, 60, 0, false},
    {"square", "sq0csp-", TOKEN_URL, 43, 43, 0, false},
    {"shopify", "shpat_", TOKEN_HEX, 32, 32, 0, false},
    {"shopify", "shpca_", TOKEN_HEX, 32, 32, 0, false},
    {"shopify", "shppa_", TOKEN_HEX, 32, 32, 0, false},
    {"shopify", "shpss_", TOKEN_HEX, 32, 32, 0, false},
    {"shippo", "shippo_live_", TOKEN_HEX, 40, 40, 0, false},
    {"shippo", "shippo_test_", TOKEN_HEX, 40, 40, 0, false},
    {"easypost", "EZAK", TOKEN_WORD, 54, 54, 0, false},
    {"easypost", "EZTK", TOKEN_WORD, 54, 54, 0, false},
    {"flutterwave", "FLWSECK_TEST-", TOKEN_DASH, 12, 34, 0, false},
    {"flutterwave", "FLWSECK-", TOKEN_DASH, 12, 34, 0, false},
    {"duffel", "duffel_live_", TOKEN_DOT, 43, 43, 0, false},
    {"duffel", "duffel_test_", TOKEN_DOT, 43, 43, 0, false},
    {"plaid", "access-sandbox-", TOKEN_DASH, 36, 36, 0, false},
    {"plaid", "access-development-", TOKEN_DASH, 36, 36, 0, false},
    {"plaid", "access-production-", TOKEN_DASH, 36, 36, 0, false},
    /* Work and watching */
    {"jwt", "eyJ", TOKEN_DOT, 30, 4096, 2, false},
    {"atlassian", "ATATT3", TOKEN_DOT, 100, 320, 0, false},
    {"linear", "lin_api_", TOKEN_WORD, 40, 40, 0, false},
    {"linear", "lin_oauth_", TOKEN_HEX, 64, 64, 0, false},
    {"notion", "ntn_", TOKEN_WORD, 40, 50, 0, false},
    {"notion", "secret_", TOKEN_WORD, 43, 43, 0, false},
    {"postman", "PMAK-", TOKEN_DASH, 59, 59, 0, false},
    {"airtable", "pat", TOKEN_DOT, 79, 79, 1, false},
    {"figma", "figd_", TOKEN_URL, 36, 64, 0, false},
    {"typeform", "tfp_", TOKEN_DOT, 59, 64, 0, false},
    {"dynatrace", "dt0c01.", TOKEN_DOT, 89, 89, 1, false},
    {"dynatrace", "dt0s01.", TOKEN_DOT, 89, 89, 1, false},
    {"grafana", "glc_", TOKEN_BASE64, 32, 400, 0, false},
    {"grafana", "glsa_", TOKEN_URL, 41, 41, 0, false},
    {"grafana", "eyJrIjoi", TOKEN_BASE64, 60, 400, 0, false},
    {"newrelic", "NRAK-", TOKEN_WORD, 27, 27, 0, false},
    {"newrelic", "NRII-", TOKEN_URL, 32, 32, 0, false},
    {"newrelic", "NRJS-", TOKEN_HEX, 19, 19, 0, false},
    {"newrelic", "NRRA-", TOKEN_HEX, 40, 42, 0, false},
    {"sentry", "sntrys_", TOKEN_ANY, 80, 500, 0, false},
    {"sentry", "sntryu_", TOKEN_HEX, 64, 64, 0, false},
    {"posthog", "phx_", TOKEN_WORD, 40, 64, 0, false},
    {"pulumi", "pul-", TOKEN_HEX, 40, 40, 0, false},
    {"prefect", "pnu_", TOKEN_WORD, 36, 36, 0, false},
    {"readme", "rdme_", TOKEN_WORD, 70, 70, 0, false},
    {"octopus", "API-", TOKEN_UPPER, 25, 32, 0, false},
    {"buildkite", "bkua_", TOKEN_HEX, 40, 40, 0, false},
    {"circleci", "CCIPAT_", TOKEN_URL, 60, 80, 0, false},
    {"harness", "pat.", TOKEN_DOT, 68, 68, 2, false},
    {"harness", "sat.", TOKEN_DOT, 68, 68, 2, false},
    {"adobe", "p8e-", TOKEN_WORD, 32, 32, 0, false},
    {"settlemint", "sm_aat_", TOKEN_WORD, 16, 16, 0, false},
    {"settlemint", "sm_pat_", TOKEN_WORD, 16, 16, 0, false},
    {"settlemint", "sm_sat_", TOKEN_WORD, 16, 16, 0, false},
    {"frameio", "fio-u-", TOKEN_DOT, 64, 64, 0, false},
    {"definednet", "dnkey-", TOKEN_DOT, 79, 79, 0, false},
    {"facebook", "EAAM", TOKEN_WORD, 100, 400, 0, false},
    {"facebook", "EAAC", TOKEN_WORD, 100, 400, 0, false},
    {"telegram", ":AA", TOKEN_URL, 32, 34, 0, true},
    {"azure", "Q~", TOKEN_DOT, 31, 34, 0, true},
};
const size_t REDACT_TOKENS_N = ARRAY_LEN(REDACT_TOKENS);

/* Behind a key: quotes, '=' or ':', and what may come before the value. */
#define TO_VALUE "\\\\{0,3}[\"'\\]]{0,2}\\h{0,8}(?::=|=>|[=:])\\h{0,40}"
#define QUOTED(name) "\\\\{0,3}[\"'](?<" name ">[^\"'\\s\\\\]{3,})"
/* A bare value ends where a shell, a URL or a list would end it. */
#define BARE(name) "(?<" name ">[^\\s\"'&;,<>(){}\\[\\]\\xe2]{3,}+)(?=[\\s\"'&;,)}\\]\\\\\\xe2]|$)"
/* A border between the cells of a table, or around a box. */
#define BORDER "(?:[|]|\\xe2\\x94[\\x82\\x83]|\\xe2\\x95\\x91)"
/* The value in the next cell, by itself. */
#define CELL "\\h{0,60}" BORDER "\\h{0,60}(?<bare>[^\\s|\\xe2]{4,512})\\h{0,200}(?:" BORDER "|\\r{0,2}$)"
/* The value in the next column, at the end of the line. */
#define COLUMN "\\h{2,60}(?<random>[^\\s|,;\\xe2]{6,512})\\h{0,16}\\r{0,2}$"
/* A name with nothing behind it, and the value on the next line by itself. */
#define NEXT_LINE(name)                                                                                    \
    "[A-Za-z ]{0,12}\\h{0,4}[:=]\\h{0,60}(?:" BORDER "\\h{0,200})?(?:\\r{0,2}\\n\\h{0,16}){1,2}(?:" BORDER \
    "\\h{0,16})?(?<" name ">[^\\s|:@;,\\xe2]{6,160})\\h{0,200}(?:" BORDER "|\\r{0,2}$)"
#define REST_OF_NAME "[A-Za-z0-9_]{0,20}"

const char REDACT_DEFAULTS[] =
    "# Passwords, and what says that it is one\n"
    "(?i)pass(?:word|wd|phrase|code)(?::\\h{1,4}(?<password>[a-z]{5,64})\\h{0,4}\\r{0,2}$|" REST_OF_NAME
    "(?:" TO_VALUE "(?:" QUOTED("password") "|" BARE("bare") ")|" CELL "|" COLUMN ")|" NEXT_LINE(
        "bare") "|\\h{1,4}[\"'](?<password>[^\"'\\s]{3,128})[\"'])\n"
                "(?i)(?<![a-z])(?:pwd[=:\"' ]|pass)(?:(?<==)" BARE("bare") "|" TO_VALUE QUOTED("bare") "|=" BARE(
                    "bare") ")\n"
                            "(?i)(?<=-)pass(?:word|wd|phrase|code)?(?:=|\\h{1,4})[\"']?(?<bare>[^\\s\"']{3,256})\n"
                            "# Variables of the environment\n"
                            "(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|API_?KEY|ACCESS_KEY|SECRET_KEY|PRIVATE_KEY|CREDENTIALS?|DBPASS|_PASS|_PWD|_PW)"
                            "[A-Z0-9_]{0,24}=[\"']?(?<password>[^\\s\"'&]{3,})\n"
                            "# Keys and tokens by name\n"
                            "(?i)(?:token|secret|credential|[_-]key|(?:api|access|secret|private|auth)[ ]?key)" REST_OF_NAME
                            "(?:" TO_VALUE
                            "(?:" QUOTED("random") "|" BARE("random") ")|" CELL "|" COLUMN "|" NEXT_LINE(
                                "random") ")\n"
                                          "(?i)(?:account|shared)[ _]?(?:access)?key=(?<secret>[A-Za-z0-9+/]{20,200}={0,3})\n"
                                          "(?i)\\bsig=(?<random>[A-Za-z0-9%+/=_-]{30,200})\n"
                                          "(?i)(?:session|sessionid|sid|csrftoken|jsessionid|phpsessid)=(?<random>[A-Za-z0-9%+/=_.-]{16,512})\n"
                                          "# Headers\n"
                                          "(?i)authorization" TO_VALUE
                                          "[\"']?(?:(?:bearer|basic|token|digest|apikey|key)\\h+(?<password>[^\\s\"',;]{3,4096})|(?<random>[^\\s\"',;]{8,4096}))\n"
                                          "(?i)bearer\\h+(?<random>[A-Za-z0-9._~+/=-]{16,4096})\n"
                                          "(?i)basic\\h+(?<random>[A-Za-z0-9+/]{12,512}={0,2})(?![A-Za-z0-9+/=])\n"
                                          "# scheme://user:password@host\n"
                                          "://[^\\s/:@?#\"'<>]{0,256}:(?<password>[^\\s/@\"'<>]{1,256})@[A-Za-z0-9\\[]\n"
                                          "# Command lines\n"
                                          "(?i)(?<=-)(?:token|secret|credential|key)[a-z-]{0,12}(?:=|\\h{1,4})[\"']?(?<random>[^\\s\"']{6,4096})\n"
                                          "(?i)mysql(?:dump|admin|import|sh)?\\b[^\\r\\n]{0,160}?\\h-p[\"']?(?<bare>[^\\s\"']{3,128})\n"
                                          "(?i)mariadb(?:-dump|-admin)?\\b[^\\r\\n]{0,160}?\\h-p[\"']?(?<bare>[^\\s\"']{3,128})\n"
                                          "sshpass\\h{1,4}-p\\h{0,4}[\"']?(?<password>[^\\s\"']{3,128})\n"
                                          "(?:docker|podman)\\h{1,4}(?:auth )?login\\b[^\\r\\n]{0,160}?\\h-p\\h{0,4}[\"']?(?<password>[^\\s\"']{3,128})\n"
                                          "redis-cli\\b[^\\r\\n]{0,160}?\\h-a\\h{1,4}[\"']?(?<password>[^\\s\"']{3,128})\n"
                                          "curl\\b[^\\r\\n]{0,400}?\\h(?:-u|-U|--user|--proxy-user)(?:=|\\h{0,4})[\"']?[^\\s:\"']{1,96}:(?<password>[^\\s\"']{3,256})\n"
                                          "htpasswd\\b[^\\r\\n]{0,80}?\\h-[a-zA-Z]{0,4}b[a-zA-Z]{0,4}\\h{1,4}\\S{1,128}\\h{1,4}\\S{1,64}\\h{1,4}[\"']?(?<password>[^\\s\"']{3,128})\n"
                                          "openssl\\b[^\\r\\n]{0,200}?\\hpass:(?<password>[^\\s\"']{3,128})\n"
                                          "# Statements and files\n"
                                          "(?i)identified\\h{1,4}(?:with\\h{1,4}\\w{1,40}\\h{1,4})?by\\h{1,4}[\"'](?<password>[^\"'\\r\\n]{3,128})[\"']\n"
                                          "(?i)login\\h{1,4}\\S{1,128}\\s{1,8}password\\h{1,4}(?<password>\\S{3,128})\n"
                                          ":(?:5432|\\*):[^\\s:/]{1,64}:[^\\s:/]{1,64}:(?<password>[^\\s:]{3,128})\n"
                                          "_auth(?:token|Token)?\\h{0,4}=\\h{0,4}[\"']?(?<password>[^\\s\"'$]{8,512})\n"
                                          "(?i)<(?:password|passwd|secret|token|apikey|api_key)>(?<password>[^<\\s]{3,512})</\n"
                                          "# Addresses that let anybody in who knows them\n"
                                          "hooks\\.slack\\.com/(?:services|workflows|triggers)/(?<secret>[A-Za-z0-9+/]{20,100})\n"
                                          "(?:discord|discordapp)\\.com/api/webhooks/\\d{10,24}/(?<secret>[A-Za-z0-9_-]{20,100})\n"
                                          "webhook\\.office\\.com/webhookb2/(?<secret>[A-Za-z0-9@/-]{40,300})\n"
                                          "# Private keys, also with \\n for the line ends, with line numbers or borders\n"
                                          "-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?<secret>(?:"
                                          "(?:\\s|\\\\[nr]|\\d{1,6}(?=[\\h:|]|\\xe2)|[|:>+]|\\xe2\\x94\\x82|\\xe2\\x86\\x92)*+"
                                          "(?:[A-Z][A-Za-z-]{0,32}: [^\\r\\n]*|[A-Za-z0-9+/=]{16,}|[A-Za-z0-9+/=]{1,15}(?=(?:\\s|\\\\[nr]|[|:>+]|\\d|\\xe2\\x94\\x82)*-----END)))+)\n"
                                          "(?i)private-lines:\\h{0,4}\\d{1,3}(?<secret>(?:\\s{1,40}[A-Za-z0-9+/=]{16,128}){1,200})\n";
