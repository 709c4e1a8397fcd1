// A plugin for opencode that writes down what plugins are told, a line a call: $HOME/plugin-tap.jsonl
import fs from 'node:fs';
import path from 'node:path';

const FILE = path.join(process.env.HOME, 'plugin-tap.jsonl');
const TOLD = /^(session\.(created|idle|error|compacted|deleted|status)|permission\.|question\.)/;

function note(name, args) {
  fs.appendFileSync(FILE, `${JSON.stringify({ at: Date.now(), pid: process.pid, name, args })}\n`);
}

export const Tap = async () => ({
  event: async input => { if (TOLD.test(input.event.type)) note('event', [input]); },
  'chat.message': async (input, output) => note('chat.message', [input, { parts: output.parts }]),
  'tool.execute.before': async (input, output) => note('tool.execute.before', [input, output]),
  'tool.execute.after': async (input, output) => note('tool.execute.after', [input, { ...output, metadata: { exit: output?.metadata?.exit } }]),
});
