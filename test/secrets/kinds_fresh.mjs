// More kinds, as what they are printed with names them. They were written by somebody who had no part in the rules.
import { SET } from './random.mjs';

const { word, url, hex, base64, capital, small, digit } = SET;
const token = (prefix, alphabet, n) => r => prefix + r.text(alphabet, n);
const kind = (name, key, value, open = 0) => ({ kind: name, name: key, value, open });
const uuid = r => [8, 4, 4, 4, 12].map(n => r.text(hex, n)).join('-');
const b64url = text => Buffer.from(text).toString('base64url');

/** Are known by their looks. */
export const TOKENS = [
  kind('gitlab, routable', 'CI_JOB_TOKEN', r => `glpat-${r.text(url, 27)}.01.${r.text(small, 9)}`),
  kind('gitlab, job', 'CI_JOB_TOKEN', r => `glcbt-64_${r.text(url, 20)}`),
  kind('supabase', 'SUPABASE_ACCESS_TOKEN', token('sbp_', hex, 40)),
  kind('supabase, secret', 'SUPABASE_SERVICE_KEY', r => `sb_secret_${r.text(url, 22)}_${r.text(url, 8)}`),
  kind('openrouter', 'OPENROUTER_API_KEY', token('sk-or-v1-', hex, 64)),
  kind('deepseek', 'DEEPSEEK_API_KEY', token('sk-', hex, 32)),
  kind('xai', 'XAI_API_KEY', token('xai-', word, 80)),
  kind('langfuse', 'LANGFUSE_SECRET_KEY', r => `sk-lf-${uuid(r)}`),
  kind('langsmith', 'LANGSMITH_API_KEY', r => `lsv2_pt_${r.text(hex, 32)}_${r.text(hex, 10)}`),
  kind('tavily', 'TAVILY_API_KEY', token('tvly-dev-', word, 32)),
  kind('nvidia', 'NVIDIA_API_KEY', token('nvapi-', url, 64)),
  kind('tailscale', 'TS_AUTHKEY', r => `tskey-auth-k${r.text(word, 16)}-${r.text(word, 32)}`),
  kind('netlify', 'NETLIFY_AUTH_TOKEN', token('nfp_', word, 36)),
  kind('figma', 'FIGMA_TOKEN', token('figd_', url, 40)),
  kind('mapbox', 'MAPBOX_SECRET', r => `sk.${b64url(`{"u":"${r.text(small, 8)}","a":"cl${r.text(small, 22)}"}`)}.${r.text(url, 22)}`),
  kind('stripe webhook', 'STRIPE_WEBHOOK_SECRET', token('whsec_', word, 32)),
  kind('terraform', 'TFE_TOKEN', r => `${r.text(word, 14)}.atlasv1.${r.text(word, 67)}`, 28), // its number, also where it is printed twice
  kind('cloudflare origin', 'CF_ORIGIN_CA_KEY', r => `v1.0-${r.text(hex, 24)}-${r.text(hex, 146)}`),
  kind('circleci', 'CIRCLE_TOKEN', r => `CCIPAT_${r.text(word, 22)}_${r.text(hex, 40)}`),
  kind('buildkite', 'BUILDKITE_API_TOKEN', token('bkua_', hex, 40)),
  kind('grafana cloud', 'GRAFANA_CLOUD_TOKEN', r => `glc_${Buffer.from(`{"o":"${r.text(digit, 6)}","n":"x","k":"${r.text(word, 24)}","m":{"r":"eu"}}`).toString('base64')}`),
  kind('sentry, org', 'SENTRY_AUTH_TOKEN', r => `sntrys_${Buffer.from(`{"iat":1${r.text(digit, 9)},"url":"https://sentry.io","org":"acme"}`).toString('base64')}_${r.text(base64, 43)}`),
  kind('doppler, service', 'DOPPLER_TOKEN', r => `dp.st.prd.${r.text(word, 43)}`),
  kind('infisical', 'INFISICAL_TOKEN', r => `st.${r.text(hex, 24)}.${r.text(hex, 32)}.${r.text(hex, 32)}`),
  kind('pinecone', 'PINECONE_API_KEY', r => `pcsk_${r.text(word, 6)}_${r.text(word, 63)}`),
  kind('slack, refresh', 'SLACK_REFRESH_TOKEN', r => `xoxe-1-${r.text(word, 147)}`),
  kind('shippo', 'SHIPPO_TOKEN', token('shippo_live_', hex, 40)),
  kind('google refresh', 'GOOGLE_REFRESH_TOKEN', token('1//0', url, 98)),
  kind('posthog', 'POSTHOG_PERSONAL_KEY', token('phx_', word, 47)),
  kind('aws session', 'AWS_SESSION_TOKEN', token('IQoJb3JpZ2luX2Vj', base64, 340)),
];

/** Are secret for the name before them. */
export const NAMED = [
  kind('mistral', 'MISTRAL_API_KEY', token('', word, 32)),
  kind('cohere', 'COHERE_API_KEY', token('', word, 40)),
  kind('ethereum', 'PRIVATE_KEY', r => `0x${r.text(hex, 64)}`),
  kind('signing secret', 'SLACK_SIGNING_SECRET', token('', hex, 32)),
  kind('django', 'DJANGO_SECRET_KEY', r => r.text(`${small}!@$%^*-_=+`.replaceAll(/[@$%^*=]/g, ''), 50)),
  kind('jenkins', 'JENKINS_API_TOKEN', r => `11${r.text(hex, 32)}`),
  kind('wireguard', 'WG_PRIVATE_KEY', r => `${r.text(base64, 43)}=`),
  kind('totp', 'TOTP_SECRET', r => r.text('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 32)),
  kind('passphrase, words', 'ENCRYPTION_PASSPHRASE', r => [0, 0, 0, 0].map(() => r.pick(['correct', 'horse', 'battery', 'staple', 'velvet', 'anchor', 'mint', 'orbit'])).join('-') + r.between(1, 99)),
  kind('short password', 'POSTGRES_PASSWORD', r => r.pick(['s3cr3t', 'Passw0rd!', 'p4ssw0rd', 'Welcome1', 'letmein9', 'Summer2026!', 'qwerty123'])),
  kind('generated password', 'MYSQL_ROOT_PASSWORD', token('', word, 20)),
];

export const PASSWORDS = NAMED.slice(-2);
