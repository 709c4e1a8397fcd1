// Long transcripts with the mix of lines that real ones have: source code in tool results, thinking, patches, the terminal's
// escapes, usage numbers, an image now and then; 2 to 4 KB a line. Lines are made once and used many times, each time with
// ids of their own, so that a gigabyte is written about as fast as the disk takes it.
import { Buffer } from 'node:buffer';
import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from './daemon.mjs';
import { Random } from './random.mjs';

const TEMPLATES = 2000, ID_BYTES = 36;
const ID = 'dddddddd-dddd-4ddd-8ddd-dddddddddddd', PARENT = 'eeeeeeee-eeee-4eee-8eee-eeeeeeeeeeee';
const FLUSH_BYTES = 1 << 20;

/** The text that agents read and write here: our own source. */
function sourceText() {
  const files = fs.readdirSync(path.join(ROOT, 'src'), { recursive: true }).filter(name => name.endsWith('.c')).sort();
  return files.map(name => fs.readFileSync(path.join(ROOT, 'src', name), 'utf8')).join('\n');
}

/** Makes the bodies of lines. */
class Writer {
  constructor(random) {
    this.random = random;
    this.text = sourceText();
  }

  code(least, most) {
    const length = this.random.between(least, most), from = this.random.below(this.text.length - length);
    return this.text.slice(from, from + length);
  }

  numbered(least, most) {
    return this.code(least, most).split('\n').map((line, i) => `${String(i + 1).padStart(6)}\t${line}`).join('\n');
  }

  terminal() {
    return this.code(300, 6000).split('\n').map(line => (this.random.chance(0.2) ? `\u001b[32m✓\u001b[39m ${line}` : line)).join('\r\n');
  }

  base64(length) {
    return Buffer.from(Array.from({ length: Math.ceil(length * 3 / 4) }, () => this.random.below(256))).toString('base64');
  }

  usage() {
    const r = this.random;
    return {
      input_tokens: r.below(100), cache_creation_input_tokens: r.below(20_000), cache_read_input_tokens: r.below(180_000),
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: r.below(20_000) }, output_tokens: r.below(4000),
      service_tier: 'standard', inference_geo: 'not_available',
    };
  }

  envelope(type, rest) {
    return {
      parentUuid: PARENT, isSidechain: false, userType: 'external', cwd: '/home/dev/ostler', sessionId: '0f8fad5b-d9cb-469f-a165-70867728950e',
      version: '2.1.23', gitBranch: 'main', slug: 'mending-the-long-fence', type, ...rest, uuid: ID, timestamp: '2026-10-09T08:15:30.123Z',
    };
  }

  assistant(block) {
    const r = this.random;
    return this.envelope('assistant', {
      message: {
        model: 'claude-opus-4-6', id: `msg_01${r.hex(22)}`, type: 'message', role: 'assistant', content: [block], stop_reason: null,
        stop_sequence: null, usage: this.usage(),
      },
      requestId: `req_01${r.hex(22)}`,
    });
  }

  toolUse(name, input) {
    return this.assistant({ type: 'tool_use', id: `toolu_01${this.random.hex(22)}`, name, input });
  }

  toolResult(content, toolUseResult) {
    const block = { tool_use_id: `toolu_01${this.random.hex(22)}`, type: 'tool_result', content };
    return this.envelope('user', { message: { role: 'user', content: [block] }, toolUseResult });
  }

  read() {
    const content = this.numbered(400, 6000);
    return this.toolResult(content, { type: 'text', file: { filePath: '/home/dev/ostler/src/repair/scan.c', content, numLines: 80, startLine: 1, totalLines: 80 } });
  }

  bash() {
    const stdout = this.terminal();
    return this.toolResult(stdout, { stdout, stderr: '', interrupted: false, isImage: false, noOutputExpected: false });
  }

  edit() {
    const old_string = this.code(100, 900), new_string = this.code(100, 900);
    return this.toolUse('Edit', { replace_all: false, file_path: '/home/dev/ostler/src/repair/scan.c', old_string, new_string });
  }

  image() {
    return this.toolResult([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: this.base64(this.random.between(40_000, 300_000)) } }],
      'an image');
  }

  snapshot() {
    return {
      type: 'file-history-snapshot', messageId: this.random.uuid(), isSnapshotUpdate: false,
      snapshot: { messageId: this.random.uuid(), trackedFileBackups: { 'src/repair/scan.c': { backupFileName: `${this.random.hex(16)}@v2`, version: 2 } }, timestamp: '2026-10-09T08:15:30.123Z' },
    };
  }

  line() {
    const r = this.random;
    return r.weighted([
      [4, () => this.envelope('user', { message: { role: 'user', content: this.code(40, 400) }, permissionMode: 'acceptEdits', todos: [] })],
      [14, () => this.assistant({ type: 'text', text: this.code(80, 1500) })],
      [12, () => this.assistant({ type: 'thinking', thinking: this.code(200, 2500), signature: this.base64(r.between(300, 2000)) })],
      [12, () => this.toolUse('Bash', { command: this.code(30, 300), description: 'Run the tests' })],
      [8, () => this.edit()],
      [2, () => this.toolUse('Write', { file_path: '/home/dev/ostler/src/repair/plan.c', content: this.code(1500, 12_000) })],
      [12, () => this.bash()],
      [10, () => this.read()],
      [0.12, () => this.image()],
      [10, () => this.envelope('progress', { data: { type: 'hook_progress', hookEvent: 'PostToolUse', hookName: 'PostToolUse:Bash', command: 'tools/lint.py' }, toolUseID: `toolu_01${r.hex(22)}`, parentToolUseID: `toolu_01${r.hex(22)}` })],
      [4, () => this.envelope('system', { subtype: 'turn_duration', durationMs: r.below(1e6), isMeta: false })],
      [4, () => this.snapshot()],
      [2, () => ({ type: 'queue-operation', operation: 'enqueue', timestamp: '2026-10-09T08:15:30.123Z', sessionId: '0f8fad5b-d9cb-469f-a165-70867728950e', content: this.code(40, 200) })],
    ])();
  }
}

/** A source of lines that belong together: each names the one before it as its parent. */
export class Corpus {
  #templates;
  #next;
  #parent = null;
  #stem;

  constructor(seed = 1) {
    const random = this.random = new Random(seed), writer = new Writer(random);
    this.#templates = Array.from({ length: TEMPLATES }, () => {
      const bytes = Buffer.from(`${JSON.stringify(writer.line())}\n`);
      return { bytes, id: bytes.indexOf(`"${ID}"`), parent: bytes.indexOf(`"${PARENT}"`) };
    });
    this.#stem = `${random.hex(8)}-${random.hex(4)}-4${random.hex(3)}-8${random.hex(3)}-`;
    this.#next = random.below(2 ** 31);
  }

  newId() {
    return this.#stem + (this.#next++).toString(16).padStart(12, '0');
  }

  /** One line, and whether it is a message; its parent is missing with the probability `orphans`. */
  next(orphans = 0) {
    const { bytes, id, parent } = this.random.pick(this.#templates), line = Buffer.from(bytes);
    if (id < 0) return { line, message: false, orphan: false };
    const orphan = this.#parent !== null && orphans > 0 && this.random.chance(orphans);
    const own = this.newId();
    line.write(orphan ? this.newId() : this.#parent ?? this.newId(), parent + 1, 'latin1');
    line.write(own, id + 1, 'latin1');
    if (this.#parent !== null) {
      this.#parent = own;
      return { line, message: true, orphan };
    }
    this.#parent = own; // the first one is the root
    const root = Buffer.concat([line.subarray(0, parent), Buffer.from('null'), line.subarray(parent + ID_BYTES + 2)]);
    return { line: root, message: true, orphan: false };
  }

  /** The next lines belong to another file. */
  startOver() {
    this.#parent = null;
  }

  /** Writes a file of about so many bytes: { bytes, lines, messages, orphans }. */
  write(file, size, { orphans = 0 } = {}) {
    this.startOver();
    const fd = fs.openSync(file, 'w', 0o600), total = { bytes: 0, lines: 0, messages: 0, orphans: 0 };
    let waiting = [], waitingBytes = 0;
    const flush = () => {
      fs.writevSync(fd, waiting);
      waiting = [];
      waitingBytes = 0;
    };
    while (total.bytes < size) {
      const { line, message, orphan } = this.next(orphans);
      waiting.push(line);
      waitingBytes += line.length;
      total.bytes += line.length;
      total.lines++;
      total.messages += message;
      total.orphans += orphan;
      if (waitingBytes >= FLUSH_BYTES || waiting.length >= 512) flush();
    }
    flush();
    fs.closeSync(fd);
    return total;
  }
}
