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

#define T(kind, prefix, ...) \
    { kind, prefix, sizeof(prefix) - 1, __VA_ARGS__ }
const struct redact_token REDACT_TOKENS[] = {
    /* Code hosts and registries */
    T("github", "ghp_", TOKEN_WORD, 36, 255, 0, false),
    T("github", "gho_", TOKEN_WORD, 36, 255, 0, false),
    T("github", "ghu_", TOKEN_WORD, 36, 255, 0, false),
    T("github", "ghs_", TOKEN_DOT, 36, 1024, 0, false),
    T("github", "ghr_", TOKEN_WORD, 36, 255, 0, false),
    T("github", "github_pat_", TOKEN_URL, 22, 255, 0, false),
    T("gitlab", "glpat-", TOKEN_DOT, 20, 320, 0, false),
    T("gitlab", "glptt-", TOKEN_HEX, 40, 40, 0, false),
    T("gitlab", "gldt-", TOKEN_URL, 20, 64, 0, false),
    T("gitlab", "glrt-", TOKEN_DOT, 20, 320, 0, false),
    T("gitlab", "glrtr-", TOKEN_DOT, 20, 320, 0, false),
    T("gitlab", "glcbt-", TOKEN_URL, 20, 64, 0, false),
    T("gitlab", "glft-", TOKEN_URL, 20, 64, 0, false),
    T("gitlab", "glffct-", TOKEN_URL, 20, 64, 0, false),
    T("gitlab", "glimt-", TOKEN_URL, 25, 64, 0, false),
    T("gitlab", "glagent-", TOKEN_URL, 50, 64, 0, false),
    T("gitlab", "gloas-", TOKEN_URL, 64, 64, 0, false),
    T("gitlab", "glsoat-", TOKEN_URL, 20, 64, 0, false),
    T("gitlab", "GR1348941", TOKEN_URL, 20, 64, 0, false),
    T("bitbucket", "ATBB", TOKEN_WORD, 32, 64, 0, false),
    T("bitbucket", "ATCTT3", TOKEN_DOT, 100, 320, 0, false),
    T("npm", "npm_", TOKEN_WORD, 36, 36, 0, false),
    T("pypi", "pypi-AgE", TOKEN_URL, 50, 1024, 0, false),
    T("rubygems", "rubygems_", TOKEN_HEX, 48, 48, 0, false),
    T("clojars", "CLOJARS_", TOKEN_WORD, 60, 60, 0, false),
    T("docker", "dckr_pat_", TOKEN_URL, 27, 64, 0, false),
    T("docker", "dckr_oat_", TOKEN_URL, 27, 64, 0, false),
    T("artifactory", "AKCp", TOKEN_WORD, 69, 69, 0, false),
    T("artifactory", "cmVmd", TOKEN_WORD, 59, 59, 0, false),
    T("sourcegraph", "sgp_", TOKEN_URL, 40, 64, 0, false),
    T("sonar", "sqp_", TOKEN_HEX, 40, 40, 0, false),
    T("sonar", "squ_", TOKEN_HEX, 40, 40, 0, false),
    T("sonar", "sqa_", TOKEN_HEX, 40, 40, 0, false),
    /* Models */
    T("anthropic", "sk-ant-", TOKEN_URL, 16, 160, 0, false),
    T("openai", "sk-proj-", TOKEN_URL, 18, 200, 0, false),
    T("openai", "sk-svcacct-", TOKEN_URL, 18, 200, 0, false),
    T("openai", "sk-admin-", TOKEN_URL, 18, 200, 0, false),
    T("langfuse", "sk-lf-", TOKEN_DASH, 36, 36, 0, false),
    T("openrouter", "sk-or-", TOKEN_URL, 32, 96, 0, false),
    T("openai", "sk-", TOKEN_WORD, 20, 64, 0, false),
    T("huggingface", "hf_", TOKEN_WORD, 34, 40, 0, false),
    T("huggingface", "api_org_", TOKEN_WORD, 34, 40, 0, false),
    T("replicate", "r8_", TOKEN_WORD, 37, 37, 0, false),
    T("groq", "gsk_", TOKEN_WORD, 48, 64, 0, false),
    T("perplexity", "pplx-", TOKEN_WORD, 40, 64, 0, false),
    T("xai", "xai-", TOKEN_WORD, 64, 96, 0, false),
    T("langsmith", "lsv2_", TOKEN_URL, 36, 64, 0, false),
    T("tavily", "tvly-", TOKEN_URL, 28, 64, 0, false),
    T("pinecone", "pcsk_", TOKEN_URL, 50, 96, 0, false),
    T("nvidia", "nvapi-", TOKEN_URL, 60, 80, 0, false),
    T("wandb", "wandb_v1_", TOKEN_URL, 30, 96, 0, false),
    T("privateai", "ico-", TOKEN_WORD, 32, 32, 0, false),
    /* Clouds */
    T("aws", "AKIA", TOKEN_UPPER, 16, 16, 0, false),
    T("aws", "ASIA", TOKEN_UPPER, 16, 16, 0, false),
    T("aws", "ABIA", TOKEN_UPPER, 16, 16, 0, false),
    T("aws", "ACCA", TOKEN_UPPER, 16, 16, 0, false),
    T("aws", "ABSK", TOKEN_BASE64, 100, 280, 0, false),
    T("aws", "bedrock-api-key-", TOKEN_BASE64, 28, 1024, 0, false),
    T("aws", "IQoJb3JpZ2lu", TOKEN_BASE64, 100, 2048, 0, false),
    T("aws", "FwoGZXIvYXdz", TOKEN_BASE64, 100, 2048, 0, false),
    T("google", "1//0", TOKEN_URL, 60, 160, 0, false),
    T("cloudflare", "v1.0-", TOKEN_DASH, 171, 171, 0, false),
    T("google", "AIza", TOKEN_URL, 35, 35, 0, false),
    T("google", "ya29.", TOKEN_DOT, 30, 1024, 0, false),
    T("google", "GOCSPX-", TOKEN_URL, 28, 28, 0, false),
    T("google", "GOOG1E", TOKEN_WORD, 54, 60, 0, false),
    T("digitalocean", "dop_v1_", TOKEN_HEX, 64, 64, 0, false),
    T("digitalocean", "doo_v1_", TOKEN_HEX, 64, 64, 0, false),
    T("digitalocean", "dor_v1_", TOKEN_HEX, 64, 64, 0, false),
    T("alibaba", "LTAI", TOKEN_WORD, 16, 20, 0, false),
    T("tencent", "AKID", TOKEN_WORD, 32, 32, 0, false),
    T("yandex", "AQVN", TOKEN_URL, 35, 38, 0, false),
    T("yandex", "YCAJ", TOKEN_URL, 20, 38, 0, false),
    T("heroku", "HRKU-AA", TOKEN_URL, 58, 58, 0, false),
    T("fly", "fo1_", TOKEN_URL, 43, 43, 0, false),
    T("fly", "fm1a_", TOKEN_BASE64, 100, 1024, 0, false),
    T("fly", "fm1r_", TOKEN_BASE64, 100, 1024, 0, false),
    T("fly", "fm2_", TOKEN_BASE64, 100, 1024, 0, false),
    T("scalingo", "tk-us-", TOKEN_URL, 48, 48, 0, false),
    T("vercel", "vcp_", TOKEN_WORD, 24, 64, 0, false),
    T("netlify", "nfp_", TOKEN_WORD, 36, 40, 0, false),
    T("render", "rnd_", TOKEN_WORD, 28, 40, 0, false),
    T("supabase", "sbp_", TOKEN_HEX, 40, 40, 0, false),
    T("supabase", "sb_secret_", TOKEN_URL, 24, 64, 0, false),
    T("planetscale", "pscale_", TOKEN_DOT, 35, 80, 0, false),
    T("neon", "napi_", TOKEN_WORD, 40, 80, 0, false),
    T("databricks", "dapi", TOKEN_HEX, 32, 32, 0, false),
    T("confluent", "cflt", TOKEN_BASE64, 56, 72, 0, false),
    T("openshift", "sha256~", TOKEN_URL, 43, 43, 0, false),
    /* Secrets of secrets */
    T("vault", "hvs.", TOKEN_URL, 24, 160, 0, false),
    T("vault", "hvb.", TOKEN_URL, 100, 400, 0, false),
    T("vault", "hvr.", TOKEN_URL, 24, 400, 0, false),
    T("doppler", "dp.pt.", TOKEN_WORD, 40, 44, 0, false),
    T("doppler", "dp.st.", TOKEN_DOT, 40, 80, 0, false),
    T("doppler", "dp.ct.", TOKEN_WORD, 40, 44, 0, false),
    T("doppler", "dp.sa.", TOKEN_WORD, 40, 44, 0, false),
    T("doppler", "dp.scim.", TOKEN_WORD, 40, 44, 0, false),
    T("doppler", "dp.audit.", TOKEN_WORD, 40, 44, 0, false),
    T("infisical", "st.", TOKEN_DOT, 90, 90, 2, false),
    T("1password", "ops_eyJ", TOKEN_BASE64, 200, 2048, 0, false),
    T("1password", "A3-", TOKEN_DASH, 36, 37, 0, false),
    T("age", "AGE-SECRET-KEY-1", TOKEN_UPPER, 58, 58, 0, false),
    T("age", "AGE-SECRET-KEY-PQ-1", TOKEN_UPPER, 58, 128, 0, false),
    T("terraform", "atlasv1.", TOKEN_URL, 60, 70, 0, false),
    T("tailscale", "tskey-", TOKEN_DASH, 24, 96, 0, false),
    T("nostr", "nsec1", TOKEN_WORD, 58, 58, 0, false),
    /* Talk and mail */
    T("slack", "xoxb-", TOKEN_DASH, 20, 120, 0, false),
    T("slack", "xoxp-", TOKEN_DASH, 20, 120, 0, false),
    T("slack", "xoxa-", TOKEN_DASH, 10, 120, 0, false),
    T("slack", "xoxr-", TOKEN_DASH, 10, 120, 0, false),
    T("slack", "xoxs-", TOKEN_DASH, 10, 120, 0, false),
    T("slack", "xoxo-", TOKEN_DASH, 10, 120, 0, false),
    T("slack", "xoxc-", TOKEN_DASH, 20, 160, 0, false),
    T("slack", "xoxd-", TOKEN_ANY, 20, 400, 0, false),
    T("slack", "xoxe-", TOKEN_DASH, 20, 200, 0, false),
    T("slack", "xoxe.xoxb-", TOKEN_DASH, 100, 200, 0, false),
    T("slack", "xoxe.xoxp-", TOKEN_DASH, 100, 200, 0, false),
    T("slack", "xapp-", TOKEN_DASH, 30, 160, 0, false),
    T("sendgrid", "SG.", TOKEN_DOT, 60, 70, 1, false),
    T("sendinblue", "xkeysib-", TOKEN_DASH, 81, 81, 0, false),
    T("sendinblue", "xsmtpsib-", TOKEN_DASH, 81, 81, 0, false),
    T("mailgun", "key-", TOKEN_HEX, 32, 32, 0, false),
    T("mailgun", "pubkey-", TOKEN_HEX, 32, 32, 0, false),
    T("twilio", "SK", TOKEN_HEX, 32, 32, 0, false),
    /* Money and shops */
    T("stripe", "sk_live_", TOKEN_WORD, 16, 255, 0, false),
    T("stripe", "sk_test_", TOKEN_WORD, 16, 255, 0, false),
    T("stripe", "sk_prod_", TOKEN_WORD, 16, 255, 0, false),
    T("stripe", "rk_live_", TOKEN_WORD, 16, 255, 0, false),
    T("stripe", "rk_test_", TOKEN_WORD, 16, 255, 0, false),
    T("stripe", "rk_prod_", TOKEN_WORD, 16, 255, 0, false),
    T("stripe", "whsec_", TOKEN_BASE64, 32, 64, 0, false),
    T("square", "EAAA", TOKEN_URL, 60, 64, 0, false),
    T("square", "sq0atp-", TOKEN_URL, 22, 60, 0, false),
    T("square", "sq0csp-", TOKEN_URL, 43, 43, 0, false),
    T("shopify", "shpat_", TOKEN_HEX, 32, 32, 0, false),
    T("shopify", "shpca_", TOKEN_HEX, 32, 32, 0, false),
    T("shopify", "shppa_", TOKEN_HEX, 32, 32, 0, false),
    T("shopify", "shpss_", TOKEN_HEX, 32, 32, 0, false),
    T("shippo", "shippo_live_", TOKEN_HEX, 40, 40, 0, false),
    T("shippo", "shippo_test_", TOKEN_HEX, 40, 40, 0, false),
    T("easypost", "EZAK", TOKEN_WORD, 54, 54, 0, false),
    T("easypost", "EZTK", TOKEN_WORD, 54, 54, 0, false),
    T("flutterwave", "FLWSECK_TEST-", TOKEN_DASH, 12, 34, 0, false),
    T("flutterwave", "FLWSECK-", TOKEN_DASH, 12, 34, 0, false),
    T("duffel", "duffel_live_", TOKEN_DOT, 43, 43, 0, false),
    T("duffel", "duffel_test_", TOKEN_DOT, 43, 43, 0, false),
    T("plaid", "access-sandbox-", TOKEN_DASH, 36, 36, 0, false),
    T("plaid", "access-development-", TOKEN_DASH, 36, 36, 0, false),
    T("plaid", "access-production-", TOKEN_DASH, 36, 36, 0, false),
    /* Work and watching */
    T("jwt", "eyJ", TOKEN_DOT, 30, 4096, 2, false),
    T("mapbox", "sk.eyJ", TOKEN_DOT, 50, 300, 1, false),
    T("atlassian", "ATATT3", TOKEN_DOT, 100, 320, 0, false),
    T("linear", "lin_api_", TOKEN_WORD, 40, 40, 0, false),
    T("linear", "lin_oauth_", TOKEN_HEX, 64, 64, 0, false),
    T("notion", "ntn_", TOKEN_WORD, 40, 50, 0, false),
    T("notion", "secret_", TOKEN_WORD, 43, 43, 0, false),
    T("postman", "PMAK-", TOKEN_DASH, 59, 59, 0, false),
    T("airtable", "pat", TOKEN_DOT, 79, 79, 1, false),
    T("figma", "figd_", TOKEN_URL, 36, 64, 0, false),
    T("typeform", "tfp_", TOKEN_DOT, 59, 64, 0, false),
    T("dynatrace", "dt0c01.", TOKEN_DOT, 89, 89, 1, false),
    T("dynatrace", "dt0s01.", TOKEN_DOT, 89, 89, 1, false),
    T("grafana", "glc_", TOKEN_BASE64, 32, 400, 0, false),
    T("grafana", "glsa_", TOKEN_URL, 41, 41, 0, false),
    T("grafana", "eyJrIjoi", TOKEN_BASE64, 60, 400, 0, false),
    T("newrelic", "NRAK-", TOKEN_WORD, 27, 27, 0, false),
    T("newrelic", "NRII-", TOKEN_URL, 32, 32, 0, false),
    T("newrelic", "NRJS-", TOKEN_HEX, 19, 19, 0, false),
    T("newrelic", "NRRA-", TOKEN_HEX, 40, 42, 0, false),
    T("sentry", "sntrys_", TOKEN_ANY, 80, 500, 0, false),
    T("sentry", "sntryu_", TOKEN_HEX, 64, 64, 0, false),
    T("posthog", "phx_", TOKEN_WORD, 40, 64, 0, false),
    T("pulumi", "pul-", TOKEN_HEX, 40, 40, 0, false),
    T("prefect", "pnu_", TOKEN_WORD, 36, 36, 0, false),
    T("readme", "rdme_", TOKEN_WORD, 70, 70, 0, false),
    T("octopus", "API-", TOKEN_UPPER, 25, 32, 0, false),
    T("buildkite", "bkua_", TOKEN_HEX, 40, 40, 0, false),
    T("circleci", "CCIPAT_", TOKEN_URL, 60, 80, 0, false),
    T("harness", "pat.", TOKEN_DOT, 68, 68, 2, false),
    T("harness", "sat.", TOKEN_DOT, 68, 68, 2, false),
    T("adobe", "p8e-", TOKEN_WORD, 32, 32, 0, false),
    T("settlemint", "sm_aat_", TOKEN_WORD, 16, 16, 0, false),
    T("settlemint", "sm_pat_", TOKEN_WORD, 16, 16, 0, false),
    T("settlemint", "sm_sat_", TOKEN_WORD, 16, 16, 0, false),
    T("frameio", "fio-u-", TOKEN_DOT, 64, 64, 0, false),
    T("definednet", "dnkey-", TOKEN_DOT, 79, 79, 0, false),
    T("facebook", "EAAM", TOKEN_WORD, 100, 400, 0, false),
    T("facebook", "EAAC", TOKEN_WORD, 100, 400, 0, false),
    T("telegram", ":AA", TOKEN_URL, 32, 34, 0, true),
    T("azure", "Q~", TOKEN_DOT, 31, 34, 0, true),
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
/* A value that is not simply behind its name: of a pair of name and value, wrapped in something, the next argument, said. */
#define ELSEWHERE(name)                                                                                                    \
    "(?:[\"']?,?\\s{1,40}[\"']?value[\"']?\\h{0,4}[:=]\\h{0,4}|[\"'],[\"']value[\"']:|:\\h{0,2}Some\\(|"                   \
    ":\\h{0,2}&?[Ss]tr(?:ing)?\\h{0,2}=\\h{0,2}|[\"'],\\h{0,4}|`\\h{0,40}[|]\\h{0,4}|\\h{1,4}(?:is|to)\\h{1,4}(?=[\"'`])|" \
    "\\h{1,4}(?=[\"'`]))[\"'`]?(?<" name ">[^\\s\"'`<>\\\\]{6,2048})(?=[\\s\"'`])"
#define REST_OF_NAME "[A-Za-z0-9_]{0,20}"

const char REDACT_DEFAULTS[] =
    "# Passwords, and what says that it is one\n"
    "(?i)pass(?:word|wd|phrase|code)(?::\\h{1,4}(?<password>[a-z]{5,64})\\h{0,4}\\r{0,2}$|" REST_OF_NAME
    "(?:" TO_VALUE "(?:" QUOTED("password") "|" BARE("bare") ")|" CELL "|" COLUMN ")|" NEXT_LINE(
        "bare") "|\\h{1,4}[\"'](?<password>[^\"'\\s]{3,128})[\"'])\n"
                "(?i)(?<![a-z])(?:pwd[=:\"' ]|pass)(?:(?<==)" BARE("bare") "|" TO_VALUE QUOTED("bare") "|=" BARE(
                    "bare") ")\n"
                            "(?i)-pass(?:word|wd|phrase|code)?(?:=|\\h{1,4})[\"']?(?<bare>[^\\s\"']{3,256})\n"
                            "# Variables of the environment\n"
                            "(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|API_?KEY|ACCESS_KEY|SECRET_KEY|PRIVATE_KEY|CREDENTIALS?|DBPASS|_PASS|_PWD|_PW)"
                            "[A-Z0-9_]{0,24}=[\"']?(?<password>[^\\s\"'&]{3,})\n"
                            "(?i)pass(?:word|wd|phrase)" REST_OF_NAME ELSEWHERE(
                                "bare") "\n"
                                        "# Keys and tokens by name\n"
                                        "(?i)(?:token|secret|credential|[_-]key)" REST_OF_NAME ELSEWHERE(
                                            "random") "\n"
                                                      "setenv\\h{1,4}[A-Z0-9_]{0,40}(?:TOKEN|SECRET|KEY|PASS|PASSWORD|PASSPHRASE|PWD)[A-Z0-9_]{0,24}\\h{1,4}[\"']?(?<password>[^\\s\"']{3,4096})\n"

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
                                                                    "(?i)-(?:token|secret|credential|key)[a-z-]{0,12}(?:=|\\h{1,4})[\"']?(?<random>[^\\s\"']{6,4096})\n"
                                                                    "(?i)mysql(?:dump|admin|import|sh)?\\b[^\\r\\n]{0,160}?\\h-p[\"']?(?<bare>[^\\s\"']{3,128})\n"
                                                                    "(?i)mariadb(?:-dump|-admin)?\\b[^\\r\\n]{0,160}?\\h-p[\"']?(?<bare>[^\\s\"']{3,128})\n"
                                                                    "sshpass\\h{1,4}-p\\h{0,4}[\"']?(?<password>[^\\s\"']{3,128})\n"
                                                                    "(?:docker|podman)\\h{1,4}(?:auth )?login\\b[^\\r\\n]{0,160}?\\h-p\\h{0,4}[\"']?(?<password>[^\\s\"']{3,128})\n"
                                                                    "redis-cli\\b[^\\r\\n]{0,160}?\\h-a\\h{1,4}[\"']?(?<password>[^\\s\"']{3,128})\n"
                                                                    "curl\\b[^\\r\\n]{0,400}?\\h(?:-u|-U|--user|--proxy-user)(?:=|\\h{0,4})[\"']?[^\\s:\"']{1,96}:(?<password>[^\\s\"']{3,256})\n"
                                                                    "htpasswd\\b[^\\r\\n]{0,80}?\\h-[a-zA-Z]{0,4}b[a-zA-Z]{0,4}\\h{1,4}\\S{1,128}\\h{1,4}\\S{1,64}\\h{1,4}[\"']?(?<password>[^\\s\"']{3,128})\n"
                                                                    "openssl\\b[^\\r\\n]{0,200}?\\hpass:(?<password>[^\\s\"']{3,128})\n"
                                                                    "(?:7z [aelxt]|unzip|unrar) [^\\r\\n]{0,120}?\\h-[pP]\\h?[\"']?(?<bare>[^\\s\"']{3,128})\n"
                                                                    "mongo(?:sh|dump|restore|import|export)?\\h[^\\r\\n]{0,160}?\\h-p\\h{0,4}[\"']?(?<bare>[^\\s\"']{3,128})\n"
                                                                    "ldap(?:search|modify|add|delete|whoami|passwd)\\h[^\\r\\n]{0,160}?\\h-w\\h{0,4}[\"']?(?<password>[^\\s\"']{3,128})\n"
                                                                    "echo\\h{1,4}[\"']?[a-z_][a-z0-9_-]{0,31}:(?<password>[^\\s\"'|:]{3,128})[\"']?\\h{0,4}[|]\\h{0,4}(?:sudo\\h{1,4})?chpasswd\n"
                                                                    "# Statements and files\n"
                                                                    "psk=[\"']?(?<password>[^\\s\"']{8,64})\n"
                                                                    "\"auth\":\\s{0,4}\"(?<random>[A-Za-z0-9+/]{12,4096}={0,2})\"\n"
                                                                    "client-key-data:\\h{0,4}(?<secret>[A-Za-z0-9+/=]{40,})\n"

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
                                                                    "(?:[A-Z][A-Za-z-]{0,32}: [^\\r\\n]*|[A-Za-z0-9+/=]{16,}|[A-Za-z0-9+/=]{1,15}(?=(?:\\s|\\\\[nr]|[|:>+]|\\d|\\xe2\\x94\\x82|\\xe2\\x86\\x92)*-----END)))+)\n"
                                                                    "(?i)private-lines:\\h{0,4}\\d{1,3}(?<secret>(?:\\s{1,40}[A-Za-z0-9+/=]{16,128}){1,200})\n";
