// What the daemon costs as events and sessions become many.
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import { Board } from '../e2e/lib/board.mjs';
import { eventsOf, feed, interleaved, payloads, record, sessions } from './fleet.mjs';
import { format, report } from './report.mjs';

const PAYLOAD_BYTES = 1500, LANES = 20;
const HISTORY = { prompts: 20 }; // with 5 tool calls each
const COST_LANES = 10, COST_FROM = 900_000, LANES_FROM = 800_000; // ids that no other row uses

/** Nanoseconds that a process has spent on a CPU, all threads together. */
function cpuTime(pid) {
  return fs.readdirSync(`/proc/${pid}/task`)
    .reduce((sum, thread) => sum + Number(fs.readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]), 0);
}

/** What a program in JavaScript would need for reading the same lines, if it did nothing else with them. */
function parseRate(options) {
  const lines = [...interleaved(LANES, { ...options, prompts: 20 }, LANES_FROM)].map(record);
  const text = lines.join(''), begun = performance.now();
  let bytes = 0;
  for (const line of text.split('\n')) if (line) bytes += JSON.parse(line).payload.session_id.length;
  return bytes && lines.length / ((performance.now() - begun) / 1000);
}

/** Events from the spool to the database and to a board that is connected. */
export async function benchEvents(daemon, quick) {
  const options = { prompts: quick ? 100 : 420, bytes: PAYLOAD_BYTES }, count = LANES * eventsOf(options);
  const board = await Board.connect(null, daemon, { v1: true });
  let best = 0;
  for (let round = 0; round < 3; round++) {
    const from = LANES_FROM + round * LANES;
    const took = await feed(daemon, interleaved(LANES, options, from));
    await board.until(() => [...board.sessions.values()].filter(s => s.promptCount === options.prompts).length === (round + 1) * LANES);
    best = Math.max(best, count / (took / 1000));
  }
  const rate = parseRate(options);
  report('events of 1.5 KB through the spool', best, '/s', ['≥', 80_000], 'read, applied, committed, and told to a board; best of 3');
  report('JSON.parse of the same in Node', rate, '/s', undefined, 'and nothing else');
  report('events through the spool ÷ JSON.parse', best / rate, '×');
  await board.close();
  await daemon.stop();
}

/** Bytes of the frames that tell of changes, with their headers. */
function updateBytes(board, types) {
  return board.frames.filter((_, i) => types.includes(board.messages[i].type)).map(frame => Buffer.byteLength(frame))
    .reduce((sum, n) => sum + n + (n < 126 ? 2 : n < 65536 ? 4 : 10), 0);
}

/** What an event of an ordinary session costs on the wire, in each dialect, when each is told by itself. */
export async function benchWire(daemon, quick) {
  const options = { prompts: quick ? 5 : HISTORY.prompts }, count = eventsOf(options);
  const plain = await Board.connect(null, daemon), cards = await Board.connect(null, daemon, { v1: true });
  const opened = await Board.connect(null, daemon, { v1: true });
  const all = [plain, cards, opened];
  let n = 0;
  for (const payload of payloads(0, options)) {
    await feed(daemon, [payload]);
    n++;
    for (const board of all) await board.until(() => board.messages.filter(m => m.type === 'session_update').length === n);
    if (n === 1) opened.send({ type: 'open', id: [...opened.sessions.keys()][0] });
  }
  const of = (board, ...types) => updateBytes(board, types) / count;
  const v1 = of(cards, 'session_update');
  report('bytes an event to the board', v1, 'B', ['≤', 1024], `${count} events of a session, each by itself`);
  report('bytes an event to the board, session open', of(opened, 'session_update', 'session_log'), 'B', ['≤', 1024]);
  report('bytes an event to a plain client', of(plain, 'session_update'), 'B', undefined, 'whole sessions');
  report('plain client ÷ board', of(plain, 'session_update') / v1, '×');
  for (const board of all) await board.close();
  await daemon.stop();
}

/** Brings the board from so many sessions to so many more, each with a past, and looks at the memory. */
export async function grow(daemon, { from, to, target, prompts = HISTORY.prompts }) {
  await feed(daemon, sessions(to - from, { prompts }, from));
  report(`memory with ${format(to)} sessions`, daemon.rss / 2 ** 20, 'MiB', target, `${prompts} prompts, ${prompts * 5} tools each`);
}

async function snapshotOnce(daemon, v1) {
  const begun = performance.now(), board = await Board.connect(null, daemon, { v1 });
  await board.waitFor(m => m.type === 'snapshot');
  const took = performance.now() - begun;
  const bytes = Buffer.byteLength(board.frames[board.messages.findIndex(m => m.type === 'snapshot')]);
  await board.close();
  return { took, bytes };
}

/** A client that has asked for the board and reads none of it. */
async function deafClient(daemon) {
  const socket = net.connect(daemon.port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  socket.write(`GET /ws HTTP/1.1\r\nHost: 127.0.0.1:${daemon.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`
    + 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MTIzNDU2Nzg5MDEyMzQ1Ng==\r\n\r\n');
  await once(socket, 'readable');
  return socket;
}

/** From the signal to the end of the process, with boards connected, one of which reads nothing, and events on their way. */
export async function benchStop(daemon, quick) {
  await feed(daemon, sessions(1000, { prompts: quick ? 2 : HISTORY.prompts }, 0));
  const times = [];
  for (let round = 0; round < 3; round++) {
    const boards = [];
    for (let i = 0; i < 10; i++) boards.push(await Board.connect(null, daemon, { v1: true }));
    const deaf = await deafClient(daemon), feeding = feed(daemon, interleaved(LANES, { prompts: 40 }, LANES_FROM + round * LANES)).catch(() => {});
    await boards[0].until(() => boards[0].messages.some(m => m.type === 'session_update'));
    const begun = performance.now();
    await daemon.stop();
    times.push(performance.now() - begun);
    await daemon.start();
    await feeding;
    deaf.destroy();
    for (const board of boards) await board.close();
  }
  report('stop with 1,000 sessions, worst of 3', Math.max(...times), 'ms', ['≤', 1000], '10 boards, a client that reads nothing, events on their way');
  await daemon.stop();
}

/** From the connect until the whole board is there and parsed. */
export async function benchSnapshot(daemon) {
  const best = async v1 => {
    const tries = [];
    for (let i = 0; i < 10; i++) tries.push(await snapshotOnce(daemon, v1));
    return { bytes: tries[0].bytes, took: Math.min(...tries.map(one => one.took)) };
  };
  const board = await best(true), plain = await best(false);
  report('snapshot of 1,000 sessions', board.bytes / 1e6, 'MB', ['≤', 0.8]);
  report('snapshot of 1,000 sessions, connect to parsed', board.took, 'ms', ['≤', 20], 'best of 10');
  report('the same for a plain client', plain.bytes / 1e6, 'MB', undefined, `${format(plain.took)} ms`);
}

/**
 * Microseconds of CPU that an event costs on each of the boards, of ten sessions that work while the others rest. The
 * boards take turns, so that whatever else the machine does meets all of them; the best of several rounds.
 */
export async function costPerEvent(daemons, quick) {
  const options = { prompts: quick ? 40 : 160 }, count = COST_LANES * eventsOf(options);
  const boards = [], best = daemons.map(() => Infinity);
  for (const daemon of daemons) boards.push(await Board.connect(null, daemon, { v1: true }));
  for (let round = 0; round < 5; round++)
    for (const [i, daemon] of daemons.entries()) {
      const before = cpuTime(daemon.child.pid);
      await feed(daemon, interleaved(COST_LANES, options, COST_FROM));
      best[i] = Math.min(best[i], (cpuTime(daemon.child.pid) - before) / count / 1000);
    }
  for (const board of boards) await board.close();
  return best;
}
