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
    {"github", "ghp_", TOKEN_WORD, 36, 255, 0},
    {"github", "gho_", TOKEN_WORD, 36, 255, 0},
    {"github", "ghu_", TOKEN_WORD, 36, 255, 0},
    {"github", "ghs_", TOKEN_DOT, 36, 1024, 0},
    {"github", "ghr_", TOKEN_WORD, 36, 255, 0},
    {"github", "github_pat_", TOKEN_URL, 22, 255, 0},
    {"gitlab", "glpat-", TOKEN_DOT, 20, 320, 0},
    {"gitlab", "glptt-", TOKEN_HEX, 40, 40, 0},
    {"gitlab", "gldt-", TOKEN_URL, 20, 64, 0},
    {"gitlab", "glrt-", TOKEN_DOT, 20, 320, 0},
    {"gitlab", "glrtr-", TOKEN_DOT, 20, 320, 0},
    {"gitlab", "glcbt-", TOKEN_URL, 20, 64, 0},
    {"gitlab", "glft-", TOKEN_URL, 20, 64, 0},
    {"gitlab", "glffct-", TOKEN_URL, 20, 64, 0},
    {"gitlab", "glimt-", TOKEN_URL, 25, 64, 0},
    {"gitlab", "glagent-", TOKEN_URL, 50, 64, 0},
    {"gitlab", "gloas-", TOKEN_URL, 64, 64, 0},
    {"gitlab", "glsoat-", TOKEN_URL, 20, 64, 0},
    {"gitlab", "GR1348941", TOKEN_URL, 20, 64, 0},
    {"bitbucket", "ATBB", TOKEN_WORD, 32, 64, 0},
    {"bitbucket", "ATCTT3", TOKEN_DOT, 100, 320, 0},
    {"npm", "npm_", TOKEN_WORD, 36, 36, 0},
    {"pypi", "pypi-AgE", TOKEN_URL, 50, 1024, 0},
    {"rubygems", "rubygems_", TOKEN_HEX, 48, 48, 0},
    {"clojars", "CLOJARS_", TOKEN_WORD, 60, 60, 0},
    {"nuget", "oy2", TOKEN_WORD, 43, 43, 0},
    {"cratesio", "cio", TOKEN_WORD, 32, 32, 0},
    {"docker", "dckr_pat_", TOKEN_URL, 27, 64, 0},
    {"docker", "dckr_oat_", TOKEN_URL, 27, 64, 0},
    {"artifactory", "AKCp", TOKEN_WORD, 69, 69, 0},
    {"artifactory", "cmVmd", TOKEN_WORD, 59, 59, 0},
    {"sourcegraph", "sgp_", TOKEN_URL, 40, 64, 0},
    {"sonar", "sqp_", TOKEN_HEX, 40, 40, 0},
    {"sonar", "squ_", TOKEN_HEX, 40, 40, 0},
    {"sonar", "sqa_", TOKEN_HEX, 40, 40, 0},
    /* Models */
    {"anthropic", "sk-ant-", TOKEN_URL, 16, 160, 0},
    {"openai", "sk-proj-", TOKEN_URL, 18, 200, 0},
    {"openai", "sk-svcacct-", TOKEN_URL, 18, 200, 0},
    {"openai", "sk-admin-", TOKEN_URL, 18, 200, 0},
    {"openrouter", "sk-or-", TOKEN_URL, 32, 96, 0},
    {"openai", "sk-", TOKEN_WORD, 20, 64, 0},
    {"huggingface", "hf_", TOKEN_WORD, 34, 40, 0},
    {"huggingface", "api_org_", TOKEN_WORD, 34, 40, 0},
    {"replicate", "r8_", TOKEN_WORD, 37, 37, 0},
    {"groq", "gsk_", TOKEN_WORD, 48, 64, 0},
    {"perplexity", "pplx-", TOKEN_WORD, 40, 64, 0},
    {"xai", "xai-", TOKEN_WORD, 64, 96, 0},
    {"langsmith", "lsv2_", TOKEN_URL, 36, 64, 0},
    {"tavily", "tvly-", TOKEN_URL, 28, 64, 0},
    {"pinecone", "pcsk_", TOKEN_URL, 50, 96, 0},
    {"nvidia", "nvapi-", TOKEN_URL, 60, 80, 0},
    {"wandb", "wandb_v1_", TOKEN_URL, 30, 96, 0},
    {"privateai", "ico-", TOKEN_WORD, 32, 32, 0},
    /* Clouds */
    {"aws", "AKIA", TOKEN_UPPER, 16, 16, 0},
    {"aws", "ASIA", TOKEN_UPPER, 16, 16, 0},
    {"aws", "ABIA", TOKEN_UPPER, 16, 16, 0},
    {"aws", "ACCA", TOKEN_UPPER, 16, 16, 0},
    {"aws", "ABSK", TOKEN_BASE64, 100, 280, 0},
    {"aws", "bedrock-api-key-", TOKEN_BASE64, 28, 1024, 0},
    {"google", "AIza", TOKEN_URL, 35, 35, 0},
    {"google", "ya29.", TOKEN_DOT, 30, 1024, 0},
    {"google", "GOCSPX-", TOKEN_URL, 28, 28, 0},
    {"google", "1//0", TOKEN_URL, 40, 128, 0},
    {"google", "GOOG1E", TOKEN_WORD, 54, 60, 0},
    {"digitalocean", "dop_v1_", TOKEN_HEX, 64, 64, 0},
    {"digitalocean", "doo_v1_", TOKEN_HEX, 64, 64, 0},
    {"digitalocean", "dor_v1_", TOKEN_HEX, 64, 64, 0},
    {"alibaba", "LTAI", TOKEN_WORD, 16, 20, 0},
    {"tencent", "AKID", TOKEN_WORD, 32, 32, 0},
    {"yandex", "AQVN", TOKEN_URL, 35, 38, 0},
    {"yandex", "YCAJ", TOKEN_URL, 20, 38, 0},
    {"cloudflare", "v1.0-", TOKEN_DASH, 171, 171, 0},
    {"heroku", "HRKU-AA", TOKEN_URL, 58, 58, 0},
    {"fly", "fo1_", TOKEN_URL, 43, 43, 0},
    {"fly", "fm1a_", TOKEN_BASE64, 100, 1024, 0},
    {"fly", "fm1r_", TOKEN_BASE64, 100, 1024, 0},
    {"fly", "fm2_", TOKEN_BASE64, 100, 1024, 0},
    {"scalingo", "tk-us-", TOKEN_URL, 48, 48, 0},
    {"vercel", "vcp_", TOKEN_WORD, 24, 64, 0},
    {"netlify", "nfp_", TOKEN_WORD, 36, 40, 0},
    {"render", "rnd_", TOKEN_WORD, 28, 40, 0},
    {"supabase", "sbp_", TOKEN_HEX, 40, 40, 0},
    {"supabase", "sb_secret_", TOKEN_URL, 24, 64, 0},
    {"planetscale", "pscale_", TOKEN_DOT, 35, 80, 0},
    {"neon", "napi_", TOKEN_WORD, 40, 80, 0},
    {"databricks", "dapi", TOKEN_HEX, 32, 32, 0},
    {"snowflake", "ver:1-hint:", TOKEN_ANY, 40, 400, 0},
    {"confluent", "cflt", TOKEN_BASE64, 56, 72, 0},
    {"openshift", "sha256~", TOKEN_URL, 43, 43, 0},
    /* Secrets of secrets */
    {"vault", "hvs.", TOKEN_URL, 24, 160, 0},
    {"vault", "hvb.", TOKEN_URL, 100, 400, 0},
    {"vault", "hvr.", TOKEN_URL, 24, 400, 0},
    {"doppler", "dp.pt.", TOKEN_WORD, 40, 44, 0},
    {"doppler", "dp.st.", TOKEN_DOT, 40, 80, 0},
    {"doppler", "dp.ct.", TOKEN_WORD, 40, 44, 0},
    {"doppler", "dp.sa.", TOKEN_WORD, 40, 44, 0},
    {"doppler", "dp.scim.", TOKEN_WORD, 40, 44, 0},
    {"doppler", "dp.audit.", TOKEN_WORD, 40, 44, 0},
    {"1password", "ops_eyJ", TOKEN_BASE64, 200, 2048, 0},
    {"1password", "A3-", TOKEN_DASH, 36, 37, 0},
    {"age", "AGE-SECRET-KEY-1", TOKEN_UPPER, 58, 58, 0},
    {"age", "AGE-SECRET-KEY-PQ-1", TOKEN_UPPER, 58, 128, 0},
    {"infisical", "st.", TOKEN_DOT, 70, 160, 2},
    {"terraform", "atlasv1.", TOKEN_URL, 60, 70, 0},
    {"tailscale", "tskey-", TOKEN_DASH, 24, 96, 0},
    {"nostr", "nsec1", TOKEN_WORD, 58, 58, 0},
    /* Talk and mail */
    {"slack", "xoxb-", TOKEN_DASH, 20, 120, 0},
    {"slack", "xoxp-", TOKEN_DASH, 20, 120, 0},
    {"slack", "xoxa-", TOKEN_DASH, 10, 120, 0},
    {"slack", "xoxr-", TOKEN_DASH, 10, 120, 0},
    {"slack", "xoxs-", TOKEN_DASH, 10, 120, 0},
    {"slack", "xoxo-", TOKEN_DASH, 10, 120, 0},
    {"slack", "xoxc-", TOKEN_DASH, 20, 160, 0},
    {"slack", "xoxd-", TOKEN_ANY, 20, 400, 0},
    {"slack", "xoxe-", TOKEN_DASH, 20, 200, 0},
    {"slack", "xoxe.xoxb-", TOKEN_DASH, 100, 200, 0},
    {"slack", "xoxe.xoxp-", TOKEN_DASH, 100, 200, 0},
    {"slack", "xapp-", TOKEN_DASH, 30, 160, 0},
    {"sendgrid", "SG.", TOKEN_DOT, 60, 70, 1},
    {"sendinblue", "xkeysib-", TOKEN_DASH, 81, 81, 0},
    {"sendinblue", "xsmtpsib-", TOKEN_DASH, 81, 81, 0},
    {"mailgun", "key-", TOKEN_HEX, 32, 32, 0},
    {"mailgun", "pubkey-", TOKEN_HEX, 32, 32, 0},
    {"mailchimp", "md-", TOKEN_URL, 22, 22, 0},
    {"resend", "re_", TOKEN_URL, 32, 40, 0},
    {"twilio", "SK", TOKEN_HEX, 32, 32, 0},
    {"twilio", "AC", TOKEN_HEX, 32, 32, 0},
    /* Money and shops */
    {"stripe", "sk_live_", TOKEN_WORD, 16, 255, 0},
    {"stripe", "sk_test_", TOKEN_WORD, 16, 255, 0},
    {"stripe", "sk_prod_", TOKEN_WORD, 16, 255, 0},
    {"stripe", "rk_live_", TOKEN_WORD, 16, 255, 0},
    {"stripe", "rk_test_", TOKEN_WORD, 16, 255, 0},
    {"stripe", "rk_prod_", TOKEN_WORD, 16, 255, 0},
    {"stripe", "whsec_", TOKEN_BASE64, 32, 64, 0},
    {"square", "EAAA", TOKEN_URL, 60, 64, 0},
    {"square", "sq0atp-", TOKEN_URL, 22, 60, 0},
    {"square", "sq0csp-", TOKEN_URL, 43, 43, 0},
    {"shopify", "shpat_", TOKEN_HEX, 32, 32, 0},
    {"shopify", "shpca_", TOKEN_HEX, 32, 32, 0},
    {"shopify", "shppa_", TOKEN_HEX, 32, 32, 0},
    {"shopify", "shpss_", TOKEN_HEX, 32, 32, 0},
    {"shippo", "shippo_live_", TOKEN_HEX, 40, 40, 0},
    {"shippo", "shippo_test_", TOKEN_HEX, 40, 40, 0},
    {"easypost", "EZAK", TOKEN_WORD, 54, 54, 0},
    {"easypost", "EZTK", TOKEN_WORD, 54, 54, 0},
    {"flutterwave", "FLWSECK_TEST-", TOKEN_DASH, 12, 34, 0},
    {"flutterwave", "FLWSECK-", TOKEN_DASH, 12, 34, 0},
    {"duffel", "duffel_live_", TOKEN_DOT, 43, 43, 0},
    {"duffel", "duffel_test_", TOKEN_DOT, 43, 43, 0},
    {"plaid", "access-sandbox-", TOKEN_DASH, 36, 36, 0},
    {"plaid", "access-development-", TOKEN_DASH, 36, 36, 0},
    {"plaid", "access-production-", TOKEN_DASH, 36, 36, 0},
    /* Work and watching */
    {"jwt", "eyJ", TOKEN_DOT, 30, 4096, 2},
    {"atlassian", "ATATT3", TOKEN_DOT, 100, 320, 0},
    {"linear", "lin_api_", TOKEN_WORD, 40, 40, 0},
    {"linear", "lin_oauth_", TOKEN_HEX, 64, 64, 0},
    {"notion", "ntn_", TOKEN_WORD, 40, 50, 0},
    {"notion", "secret_", TOKEN_WORD, 43, 43, 0},
    {"postman", "PMAK-", TOKEN_DASH, 59, 59, 0},
    {"airtable", "pat", TOKEN_DOT, 79, 79, 1},
    {"figma", "figd_", TOKEN_URL, 36, 64, 0},
    {"typeform", "tfp_", TOKEN_DOT, 59, 64, 0},
    {"dynatrace", "dt0c01.", TOKEN_DOT, 89, 89, 1},
    {"dynatrace", "dt0s01.", TOKEN_DOT, 89, 89, 1},
    {"grafana", "glc_", TOKEN_BASE64, 32, 400, 0},
    {"grafana", "glsa_", TOKEN_URL, 41, 41, 0},
    {"grafana", "eyJrIjoi", TOKEN_BASE64, 60, 400, 0},
    {"newrelic", "NRAK-", TOKEN_WORD, 27, 27, 0},
    {"newrelic", "NRII-", TOKEN_URL, 32, 32, 0},
    {"newrelic", "NRJS-", TOKEN_HEX, 19, 19, 0},
    {"newrelic", "NRRA-", TOKEN_HEX, 40, 42, 0},
    {"sentry", "sntrys_", TOKEN_ANY, 80, 500, 0},
    {"sentry", "sntryu_", TOKEN_HEX, 64, 64, 0},
    {"posthog", "phx_", TOKEN_WORD, 40, 64, 0},
    {"pulumi", "pul-", TOKEN_HEX, 40, 40, 0},
    {"prefect", "pnu_", TOKEN_WORD, 36, 36, 0},
    {"readme", "rdme_", TOKEN_WORD, 70, 70, 0},
    {"octopus", "API-", TOKEN_UPPER, 25, 32, 0},
    {"buildkite", "bkua_", TOKEN_HEX, 40, 40, 0},
    {"circleci", "CCIPAT_", TOKEN_URL, 60, 80, 0},
    {"harness", "pat.", TOKEN_DOT, 68, 68, 2},
    {"harness", "sat.", TOKEN_DOT, 68, 68, 2},
    {"adobe", "p8e-", TOKEN_WORD, 32, 32, 0},
    {"settlemint", "sm_aat_", TOKEN_WORD, 16, 16, 0},
    {"settlemint", "sm_pat_", TOKEN_WORD, 16, 16, 0},
    {"settlemint", "sm_sat_", TOKEN_WORD, 16, 16, 0},
    {"frameio", "fio-u-", TOKEN_DOT, 64, 64, 0},
    {"definednet", "dnkey-", TOKEN_DOT, 79, 79, 0},
    {"facebook", "EAAM", TOKEN_WORD, 100, 400, 0},
    {"facebook", "EAAC", TOKEN_WORD, 100, 400, 0},
    {"clickhouse", "4b1d", TOKEN_WORD, 38, 38, 0},
};
const size_t REDACT_TOKENS_N = ARRAY_LEN(REDACT_TOKENS);

/* Behind a key: quotes, '=' or ':', and what may come before the value. */
#define TO_VALUE "\\\\{0,3}[\"'\\]]{0,2}\\h{0,8}(?::=|=>|[=:])\\h{0,40}"
#define QUOTED(name) "\\\\{0,3}[\"'](?<" name ">[^\"'\\s\\\\]{3,512})"
/* A bare value ends where a shell, a URL or a list would end it. */
#define BARE(name) "(?<" name ">[^\\s\"'&;,<>(){}\\[\\]\\xe2]{3,512})(?=[\\s\"'&;,)}\\]\\\\\\xe2]|$)"
#define PASS_WORD "pass(?:word|wd|phrase|code)[A-Za-z0-9_]{0,20}"
#define KEY_WORD "(?:api|access|secret|private|auth|encryption|signing|master|account|shared)[_ -]?key[A-Za-z0-9_]{0,20}"
#define TOKEN_WORDS "(?:token|secret|credential)[A-Za-z0-9_]{0,20}"
/* A border, or two of them, between the cells of a table. */
#define BORDER "(?:[|]|\\xe2\\x94[\\x82\\x83]|\\xe2\\x95\\x91)"

const char REDACT_DEFAULTS[] =
    "# Passwords, and what says that it is one\n"
    "(?i)" PASS_WORD TO_VALUE QUOTED("password") "\n"
    "(?i)" PASS_WORD TO_VALUE BARE("bare") "\n"
    "^\\h{0,16}(?:[A-Za-z]{1,16} )?(?i)pass(?:word|phrase|code):\\h{1,4}(?<password>[a-z]{5,64})\\h{0,4}\\r{0,2}$\n"
    "(?i)(?<![a-z])(?:pwd|pass)" TO_VALUE "(?:" QUOTED("password") "|" BARE("bare") ")\n"
    "# Variables of the environment\n"
    "(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|API_?KEY|ACCESS_KEY|SECRET_KEY|PRIVATE_KEY|CREDENTIALS?|DBPASS|_PASS|_PWD|_PW)"
    "[A-Z0-9_]{0,24}=[\"']?(?<password>[^\\s\"'&]{3,512})\n"
    "# Keys and tokens by name\n"
    "(?i)" KEY_WORD TO_VALUE "(?:" QUOTED("random") "|" BARE("random") ")\n"
    "(?i)" TOKEN_WORDS TO_VALUE "(?:" QUOTED("random") "|" BARE("random") ")\n"
    "(?i)(?:_|-)key" TO_VALUE "(?:" QUOTED("random") "|" BARE("random") ")\n"
    "(?i)(?:account|shared)[ _]?(?:access)?key=(?<secret>[A-Za-z0-9+/]{20,200}={0,3})\n"
    "(?i)\\bsig=(?<random>[A-Za-z0-9%+/=_-]{30,200})\n"
    "(?i)(?:session|sessionid|sid|csrftoken|jsessionid|phpsessid)=(?<random>[A-Za-z0-9%+/=_.-]{16,512})\n"
    "# Headers\n"
    "(?i)authorization" TO_VALUE "[\"']?(?:bearer|basic|token|digest|apikey|key)\\h+(?<password>[^\\s\"',;]{3,4096})\n"
    "(?i)authorization" TO_VALUE "[\"']?(?<random>[^\\s\"',;]{8,4096})\n"
    "(?i)bearer\\h+(?<random>[A-Za-z0-9._~+/=-]{16,4096})\n"
    "(?i)basic\\h+(?<random>[A-Za-z0-9+/]{12,512}={0,2})(?![A-Za-z0-9+/=])\n"
    "# scheme://user:password@host\n"
    "://[^\\s/:@?#\"'<>]{0,256}:(?<password>[^\\s/@\"'<>]{1,256})@[A-Za-z0-9\\[]\n"
    "# Command lines\n"
    "(?i)(?<=-)pass(?:word|wd|phrase|code)?(?:=|\\h{1,4})[\"']?(?<bare>[^\\s\"']{3,256})\n"
    "(?i)--(?:token|secret|api-?key|auth-?token|access-?token|client-?secret|secret-?key)(?:=|\\h{1,4})[\"']?(?<random>[^\\s\"']{6,4096})\n"
    "(?i)mysql(?:dump|admin|import|sh)?\\b[^\\r\\n]{0,160}?\\h-p[\"']?(?<bare>[^\\s\"']{3,128})\n"
    "(?i)mariadb(?:-dump|-admin)?\\b[^\\r\\n]{0,160}?\\h-p[\"']?(?<bare>[^\\s\"']{3,128})\n"
    "sshpass\\h{1,4}-p\\h{0,4}[\"']?(?<password>[^\\s\"']{3,128})\n"
    "(?:docker|podman|nerdctl|helm registry|skopeo|crane)\\h{1,4}(?:auth )?login\\b[^\\r\\n]{0,160}?\\h-p\\h{0,4}[\"']?(?<password>[^\\s\"']{3,128})\n"
    "redis-cli\\b[^\\r\\n]{0,160}?\\h-a\\h{1,4}[\"']?(?<password>[^\\s\"']{3,128})\n"
    "(?:ldap(?:search|modify|add|whoami)|ipmitool|smbclient|net rpc|xfreerdp|openconnect)\\b[^\\r\\n]{0,160}?\\h-[wPU]\\h{0,4}[\"']?(?:[^\\s\"'%]{1,64}%)?(?<bare>[^\\s\"']{3,128})\n"
    "curl\\b[^\\r\\n]{0,400}?\\h(?:-u|-U|--user|--proxy-user)(?:=|\\h{0,4})[\"']?[^\\s:\"']{1,96}:(?<password>[^\\s\"']{3,256})\n"
    "htpasswd\\b[^\\r\\n]{0,80}?\\h-[a-zA-Z]{0,4}b[a-zA-Z]{0,4}\\h{1,4}\\S{1,128}\\h{1,4}\\S{1,64}\\h{1,4}[\"']?(?<password>[^\\s\"']{3,128})\n"
    "openssl\\b[^\\r\\n]{0,200}?\\hpass:(?<password>[^\\s\"']{3,128})\n"
    "# Statements and files\n"
    "(?i)identified\\h{1,4}(?:with\\h{1,4}\\w{1,40}\\h{1,4})?by\\h{1,4}[\"'](?<password>[^\"'\\r\\n]{3,128})[\"']\n"
    "(?i)password\\h{1,4}[\"'](?<password>[^\"'\\s]{3,128})[\"']\n"
    "(?i)login\\h{1,4}\\S{1,128}\\s{1,8}password\\h{1,4}(?<password>\\S{3,128})\n"
    ":(?:5432|543\\d|6432|\\*):[^\\s:/]{1,64}:[^\\s:/]{1,64}:(?<password>[^\\s:]{3,128})\n"
    "_auth(?:token|Token)?\\h{0,4}=\\h{0,4}[\"']?(?<password>[^\\s\"'$]{8,512})\n"
    "(?i)<(?:password|passwd|secret|token|apikey|api_key)>(?<password>[^<\\s]{3,512})</\n"
    "# A table's row, and the next line\n"
    "(?i)(?:password|passwd|passphrase|secret|token|api[_ -]?key|access[_ -]?key|secret[_ -]?key|private[_ -]?key)[A-Za-z0-9_]{0,20}\\h{0,60}" BORDER "\\h{0,60}(?<bare>[^\\s|\\xe2]{4,512})\\h{0,200}(?:" BORDER "|\\r{0,2}$)\n"
    "(?i)(?:password|passwd|passphrase|secret|token|api[_ -]?key|access[_ -]?key|secret[_ -]?key)[A-Za-z0-9_]{0,20}\\h{2,60}(?<random>[^\\s|\\xe2]{6,512})\\h{0,16}\\r{0,2}$\n"
    "(?i)(?:password|passphrase|passcode|secret|token|api[_ -]?key|access[_ -]?key|secret[_ -]?key)[A-Za-z0-9_ ]{0,20}(?:\\h(?:is|below))?\\h{0,4}[:=]\\h{0,60}(?:" BORDER "\\h{0,200})?\\r{0,2}\\n\\h{0,16}(?:" BORDER "\\h{0,16})?(?<random>[^\\s|\\xe2]{6,512})\\h{0,200}(?:" BORDER "|\\r{0,2}$)\n"
    "# Addresses that let anybody in who knows them\n"
    "hooks\\.slack\\.com/(?:services|workflows|triggers)/(?<secret>[A-Za-z0-9+/]{20,100})\n"
    "(?:discord|discordapp)\\.com/api/webhooks/\\d{10,24}/(?<secret>[A-Za-z0-9_-]{20,100})\n"
    "webhook\\.office\\.com/webhookb2/(?<secret>[A-Za-z0-9@/-]{40,300})\n"
    "# Telegram, Azure: known by what is in the midst of them\n"
    "(?<=\\d{8}):AA(?<secret>[A-Za-z0-9_-]{32,34})(?![A-Za-z0-9_-])\n"
    "(?<=[A-Za-z0-9_~.]{3}\\d)Q~(?<secret>[A-Za-z0-9_~.-]{31,34})(?![A-Za-z0-9_~-])\n"
    "# Private keys, also with \\n for the line ends, with line numbers or borders\n"
    "-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?<secret>(?:"
    "(?:\\s|\\\\[nr]|\\d{1,6}(?=[\\h:|]|\\xe2)|[|:>+]|\\xe2\\x94\\x82|\\xe2\\x86\\x92)*+"
    "(?:[A-Z][A-Za-z-]{0,32}: [^\\r\\n]*|[A-Za-z0-9+/=]{16,}|[A-Za-z0-9+/=]{1,15}(?=(?:\\s|\\\\[nr]|[|:>+]|\\d|\\xe2\\x94\\x82)*-----END)))+)\n"
    "(?i)private-lines:\\h{0,4}\\d{1,3}(?<secret>(?:\\s{1,40}[A-Za-z0-9+/=]{16,128}){1,200})\n";
