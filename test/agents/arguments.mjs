// What the CLIs are told on their command lines about one run: settings, hooks, a conversation to go on with.
import fs from 'node:fs';

/** `claude [--settings FILE] [--resume ID]` */
function claude(words) {
  const value = name => words.includes(name) ? words[words.indexOf(name) + 1] : undefined;
  const file = value('--settings');
  return { id: value('--resume'), resumed: words.includes('--resume'), settings: file && JSON.parse(fs.readFileSync(file, 'utf8')) };
}

/** One value of TOML's inline notation, as far as hooks need it: strings, numbers, lists, tables. */
function toml(text) {
  const json = text.replace(/("(?:[^"\\]|\\.)*")|([A-Za-z_][\w-]*)\s*=|=/g, (all, string, key) => string ?? (key ? `"${key}":` : ':'));
  return JSON.parse(json);
}

/** `codex [-c KEY=VALUE]… [resume ID]` */
function codex(words) {
  const hooks = {};
  let state = {};
  words.forEach((word, i) => {
    if (words[i - 1] !== '-c') return;
    const [, key, value] = /^hooks\.(\w+)=(.*)$/s.exec(word) ?? [];
    if (key === 'state') state = toml(value);
    else if (key) hooks[key] = toml(value);
  });
  const at = words.indexOf('resume');
  return { id: at < 0 ? undefined : words[at + 1], resumed: at >= 0, flags: { hooks, state } };
}

export const readArguments = { claude, codex, gemini: () => ({}) };
