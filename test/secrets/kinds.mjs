// Kinds of secrets, with values that nobody uses: prefixes, lengths and alphabets as their issuers write them.
// free: is known by its looks, wherever it stands. Others are secret for the name that stands before them.
import { SET } from './random.mjs';

const { word, url, hex, base64, capital, small, digit, letter } = SET;
const token = (prefix, alphabet, n) => r => prefix + r.text(alphabet, n);
const one = (...makers) => r => r.pick(makers)(r);
/** `open`: so many characters of it are no secret: a bot's number. */
const group = (kind, name, free, value, open = 0) => ({ kind, name, free, value, open });
const uuid = r => [8, 4, 4, 4, 12].map(n => r.text(hex, n)).join('-');
const BECH32 = 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L';
const b64url = text => Buffer.from(text).toString('base64url');

const jwt = r => `${b64url('{"alg":"HS256","typ":"JWT"}')}.${b64url(`{"sub":"${r.text(digit, 10)}","name":"${r.text(letter, 8)}","iat":${1500000000 + r.below(90000000)}}`)}.${r.text(url, 43)}`;

export const TOKENS = [
  group('github', 'GITHUB_TOKEN', true, one(token('ghp_', word, 36), token('gho_', word, 36), token('ghu_', word, 36), token('ghs_', word, 36), token('ghr_', word, 36),
    r => `github_pat_${r.text(capital, 22)}_${r.text(word, 59)}`)),
  group('gitlab', 'GITLAB_TOKEN', true, one(token('glpat-', url, 20), token('glptt-', hex, 40), token('gldt-', url, 20), token('glrt-', url, 20), token('GR1348941', url, 20))),
  group('anthropic', 'ANTHROPIC_API_KEY', true, r => `sk-ant-api03-${r.text(url, 93)}AA`),
  group('openai', 'OPENAI_API_KEY', true, one(r => `sk-${r.text(word, 20)}T3BlbkFJ${r.text(word, 20)}`, r => `sk-proj-${r.text(url, 74)}T3BlbkFJ${r.text(url, 74)}`, r => `sk-svcacct-${r.text(url, 58)}T3BlbkFJ${r.text(url, 58)}`)),
  group('aws id', 'AWS_ACCESS_KEY_ID', true, r => r.pick(['AKIA', 'ASIA']) + r.text('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16)),
  group('google', 'GOOGLE_API_KEY', true, one(token('AIza', url, 35), token('ya29.a0', url, 120), token('GOCSPX-', url, 28))),
  group('hugging face', 'HF_TOKEN', true, token('hf_', letter, 34)),
  group('sendgrid', 'SENDGRID_API_KEY', true, r => `SG.${r.text(url, 22)}.${r.text(url, 43)}`),
  group('digitalocean', 'DIGITALOCEAN_TOKEN', true, r => r.pick(['dop_v1_', 'doo_v1_', 'dor_v1_']) + r.text(hex, 64)),
  group('pypi', 'TWINE_PASSWORD', true, token('pypi-AgEIcHlwaS5vcmc', url, 150)),
  group('npm', 'NPM_TOKEN', true, token('npm_', word, 36)),
  group('age', 'AGE_KEY', true, token('AGE-SECRET-KEY-1', BECH32, 58)),
  group('slack', 'SLACK_BOT_TOKEN', true, one(r => `xoxb-${r.text(digit, 12)}-${r.text(digit, 13)}-${r.text(word, 24)}`, r => `xoxp-${r.text(digit, 12)}-${r.text(digit, 12)}-${r.text(digit, 12)}-${r.text(hex, 32)}`,
    r => `xapp-1-A${r.text(capital, 10)}-${r.text(digit, 13)}-${r.text(hex, 64)}`)),
  group('stripe', 'STRIPE_SECRET_KEY', true, r => `${r.pick(['sk', 'rk'])}_${r.pick(['live', 'test'])}_${r.text(word, r.pick([24, 99]))}`),
  group('jwt', 'SESSION_JWT', true, jwt),
  group('databricks', 'DATABRICKS_TOKEN', true, token('dapi', hex, 32)),
  group('atlassian', 'JIRA_API_TOKEN', true, r => `ATATT3xFfGF0${r.text(url, 171)}=${r.text('0123456789ABCDEF', 8)}`),
  group('heroku', 'HEROKU_API_KEY', true, token('HRKU-AA', url, 58)),
  group('shopify', 'SHOPIFY_TOKEN', true, r => r.pick(['shpat_', 'shpss_', 'shpca_', 'shppa_']) + r.text(hex, 32)),
  group('square', 'SQUARE_TOKEN', true, one(token('EAAA', url, 60), token('sq0atp-', url, 22))),
  group('mailgun', 'MAILGUN_KEY', true, token('key-', hex, 32)),
  group('postman', 'POSTMAN_API_KEY', true, r => `PMAK-${r.text(hex, 24)}-${r.text(hex, 34)}`),
  group('doppler', 'DOPPLER_TOKEN', true, token('dp.pt.', word, 43)),
  group('linear', 'LINEAR_API_KEY', true, token('lin_api_', word, 40)),
  group('notion', 'NOTION_TOKEN', true, r => `ntn_${r.text(digit, 11)}${r.text(word, 35)}`),
  group('1password', 'OP_SECRET_KEY', true, r => `A3-${r.text(capital, 6)}-${r.text(capital, 6)}-${[5, 5, 5, 5].map(n => r.text(capital, n)).join('-')}`),
  group('vault', 'VAULT_TOKEN', true, one(token('hvs.', url, 92), token('hvb.', url, 140))),
  group('twilio', 'TWILIO_API_KEY', true, token('SK', hex, 32)),
  group('telegram', 'TELEGRAM_BOT_TOKEN', true, r => `${r.text('123456789', 10)}:AA${r.text(url, 33)}`, 10),
  group('azure ad', 'AZURE_CLIENT_SECRET', true, r => `${r.text(word, 3)}8Q~${r.text(word, 34)}`, 4),
  group('docker', 'DOCKER_PAT', true, token('dckr_pat_', url, 27)),
  group('grafana', 'GRAFANA_TOKEN', true, r => `glsa_${r.text(word, 32)}_${r.text(hex, 8)}`),
  group('new relic', 'NEW_RELIC_KEY', true, token('NRAK-', capital, 27)),
  group('sentry', 'SENTRY_AUTH_TOKEN', true, token('sntryu_', hex, 64)),
  group('rubygems', 'GEM_HOST_API_KEY', true, token('rubygems_', hex, 48)),
  group('pulumi', 'PULUMI_ACCESS_TOKEN', true, token('pul-', hex, 40)),
  group('planetscale', 'PLANETSCALE_TOKEN', true, token('pscale_tkn_', url, 43)),
  group('dynatrace', 'DT_API_TOKEN', true, r => `dt0c01.${r.text(capital, 24)}.${r.text(capital, 64)}`),
  group('airtable', 'AIRTABLE_PAT', true, r => `pat${r.text(word, 14)}.${r.text(hex, 64)}`),
  group('groq', 'GROQ_API_KEY', true, token('gsk_', word, 52)),
  group('perplexity', 'PPLX_API_KEY', true, token('pplx-', word, 48)),
  group('replicate', 'REPLICATE_API_TOKEN', true, token('r8_', word, 37)),
  group('fly', 'FLY_API_TOKEN', true, token('fo1_', url, 43)),
  group('sendinblue', 'BREVO_KEY', true, r => `xkeysib-${r.text(hex, 64)}-${r.text(word, 16)}`),
  group('typeform', 'TYPEFORM_TOKEN', true, token('tfp_', url, 59)),
  group('openshift', 'OC_TOKEN', true, token('sha256~', url, 43)),
  group('bedrock', 'AWS_BEARER_TOKEN_BEDROCK', true, token('ABSK', base64, 130)),
];

const WORDS = ['hunter', 'sword', 'dragon', 'monkey', 'falcon', 'purple', 'winter', 'garden', 'rocket', 'coffee', 'tiger', 'silver'];

export const NAMED = [
  group('password', 'DB_PASSWORD', false, r => r.pick(WORDS) + r.pick(['', '_', '-', '!']) + r.between(2, 99999)),
  group('strong password', 'ADMIN_PASSWORD', false, r => r.text(`${word}!#%^*-_+`, 1 + r.between(15, 27)).replace(/^[^A-Za-z0-9]/, 'q') + r.below(10)),
  group('aws secret', 'AWS_SECRET_ACCESS_KEY', false, token('', base64.replace('+', 'x').replace('/', 'y'), 40)),
  group('aws secret', 'AWS_SECRET_ACCESS_KEY', false, token('w', base64, 39)),
  group('api key, hex', 'DATADOG_API_KEY', false, token('', hex, 32)),
  group('auth token, hex', 'TWILIO_AUTH_TOKEN', false, token('', hex, 32)),
  group('token, uuid', 'SNYK_TOKEN', false, uuid),
  group('client secret', 'CLIENT_SECRET', false, token('', url.replace(/[_-]/g, ''), 32)),
  group('discord token', 'DISCORD_TOKEN', false, r => `M${r.text(word, 23)}.${r.text(word, 6)}.${r.text(url, 27)}`),
  group('cloudflare', 'CLOUDFLARE_API_TOKEN', false, token('', url, 40)),
  group('algolia', 'ALGOLIA_ADMIN_API_KEY', false, token('', small, 32)),
  group('azure storage', 'AZURE_STORAGE_ACCOUNT_KEY', false, r => `${r.text(base64, 86)}==`),
  group('okta', 'OKTA_API_TOKEN', false, token('00', url, 40)),
  group('mapped key', 'ENCRYPTION_KEY', false, token('', word, 44)),
];

export const PASSWORDS = NAMED.slice(0, 2);

/** Lines of base64 between the marks of a private key. */
export function privateKey(r, type = r.pick(['RSA PRIVATE KEY', 'EC PRIVATE KEY', 'PRIVATE KEY', 'OPENSSH PRIVATE KEY', 'PGP PRIVATE KEY BLOCK'])) {
  const lines = [];
  for (let left = r.between(3, 24); left; left--) lines.push(r.text(base64, 64));
  lines.push(`${r.text(base64, r.between(5, 40))}=`);
  return { begin: `-----BEGIN ${type}-----`, lines, end: `-----END ${type}-----` };
}
