// Which commands a CLI would run for an event, out of the CLI's own files.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

function readText(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}

const readJson = file => JSON.parse(readText(file) || '{}');

/** Every handler of an event: [{ handler, matcher, group, index }], in the order of the file. */
function handlersOf(hooks, event) {
  return (hooks?.[event] ?? []).flatMap((entry, group) =>
    (entry.hooks ?? []).map((handler, index) => ({ handler, matcher: entry.matcher, group, index })));
}

const everything = matcher => matcher === undefined || matcher === '' || matcher === '*';

function byPattern(matcher, subject) {
  try {
    return new RegExp(matcher).test(subject);
  } catch {
    return matcher === subject;
  }
}

/** Claude Code and Codex: plain words are a list of names, anything else a pattern. */
function byNameOrPattern(matcher, subject, plain) {
  if (plain.test(matcher)) return matcher.split(/[,|]/).some(name => name.trim() === subject);
  return byPattern(matcher, subject);
}

/** Claude Code: the user's and the project's files and those of the run add up; the same handler runs once. */
export function claudeHandlers({ home, cwd, settings = {} }, event, subject) {
  const files = [path.join(home, '.claude/settings.json'), path.join(cwd, '.claude/settings.json')].map(readJson).concat(settings);
  if (files.some(file => file.disableAllHooks)) return [];
  const found = files.flatMap(file => handlersOf(file.hooks, event))
    .filter(({ handler, matcher }) => handler.type === 'command'
      && (everything(matcher) || byNameOrPattern(matcher, subject, /^[\w\-, |]*$/)))
    .map(({ handler }) => handler);
  return [...new Map(found.map(handler => [JSON.stringify(handler), handler])).values()];
}

/** Gemini CLI: tool events are matched by pattern, the others word for word. */
export function geminiHandlers({ home }, event, subject) {
  const { hooks, hooksConfig = {} } = readJson(path.join(home, '.gemini/settings.json'));
  if (hooksConfig.enabled === false) return [];
  const matches = matcher => everything(matcher)
    || (/Tool$/.test(event) ? byPattern(matcher, subject) : matcher === subject);
  return handlersOf(hooks, event).map(({ handler, matcher }) => matches(matcher) && handler)
    .filter(handler => handler && handler.type === 'command'
      && !(hooksConfig.disabled ?? []).some(off => off === handler.name || off === handler.command));
}

const snake = event => event.replace(/\B[A-Z]/g, letter => `_${letter}`).toLowerCase();

/** What Codex wants recorded before it runs a handler: its key in [hooks.state] and the hash there. */
export function codexTrust(file, event, group, index, handler, matcher) {
  const name = snake(event);
  const short = ['session_end', 'interrupt'].includes(name);
  const seconds = handler.timeout ?? (short ? 1 : 600);
  const hook = {
    async: handler.async ?? false, command: handler.command,
    ...(handler.statusMessage !== undefined && { statusMessage: handler.statusMessage }),
    timeout: short ? Math.min(3, Math.max(1, seconds)) : Math.max(1, seconds), type: 'command',
  };
  const ignored = ['user_prompt_submit', 'stop'].includes(name);
  const shape = { event_name: name, hooks: [hook], ...(matcher !== undefined && !ignored && { matcher }) };
  return {
    key: `${file}:${name}:${group}:${index}`,
    hash: `sha256:${createHash('sha256').update(JSON.stringify(shape)).digest('hex')}`, // the keys are in order already
  };
}

/** The hashes in config.toml, by key. */
function recordedTrust(toml) {
  const rows = toml.matchAll(/^\[hooks\.state\."([^"]+)"\]\s*\n\s*trusted_hash\s*=\s*"([^"]+)"/gm);
  return new Map([...rows].map(([, key, hash]) => [key, hash]));
}

/** Codex: what is not trusted is skipped without a word. */
export function codexHandlers({ codexHome, flags }, event, subject) {
  const file = path.join(codexHome, 'hooks.json');
  const trusted = recordedTrust(readText(path.join(codexHome, 'config.toml')));
  const ofRun = new Map(Object.entries(flags?.state ?? {}).map(([key, { trusted_hash: hash }]) => [key, hash]));
  return [...trustedHandlers(file, readJson(file).hooks, trusted, event, subject),
    ...trustedHandlers('/<session-flags>/config.toml', flags?.hooks, ofRun, event, subject)];
}

function trustedHandlers(file, hooks, trusted, event, subject) {
  const ignored = ['UserPromptSubmit', 'Stop'].includes(event);
  return handlersOf(hooks, event).filter(({ handler, matcher, group, index }) => {
    if (handler.type !== 'command') return false;
    if (!ignored && !everything(matcher) && !byNameOrPattern(matcher, subject, /^[\w|]*$/)) return false;
    const { key, hash } = codexTrust(file, event, group, index, handler, matcher);
    return trusted.get(key) === hash;
  }).map(({ handler }) => handler);
}

/** Codex' older way: a program that is told of each turn's end. */
export function codexNotify({ codexHome }) {
  const [, list] = /^notify\s*=\s*(\[.*\])\s*$/m.exec(readText(path.join(codexHome, 'config.toml'))) ?? [];
  return list ? JSON.parse(list) : null;
}
