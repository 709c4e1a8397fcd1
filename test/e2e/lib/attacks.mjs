// What a stranger does. Runs in a process of its own, which has become that user before anything else.
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';

const COMMAND = JSON.stringify({ argv: ['sleep', '1000'], workingDir: '/' });
const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';
const at = port => `Host: localhost:${port}\r\n`;

const shapes = {
  post: port => `POST /api/terminals HTTP/1.1\r\n${at(port)}Content-Type: application/json\r\nContent-Length: ${COMMAND.length}\r\n\r\n${COMMAND}`,
  chunked: port => `POST /api/terminals HTTP/1.1\r\n${at(port)}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${COMMAND.length.toString(16)}\r\n${COMMAND}\r\n0\r\n\r\n`,
  pipelined: port => shapes.post(port).repeat(16),
  hook: port => {
    const body = JSON.stringify({ hook_event_name: 'SessionStart', session_id: 'strange', cwd: '/', source: 'startup' });
    return `POST /api/hooks HTTP/1.1\r\n${at(port)}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  },
  forwarded: port => shapes.post(port).replace('\r\n', '\r\nX-Forwarded-For: 127.0.0.1\r\n'),
  socket: port => `GET /ws HTTP/1.1\r\n${at(port)}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${KEY}\r\n\r\n`,
};

/** How one ends, once all is written: with a reset, in the middle of it or later, half or whole. */
const endings = {
  reset: socket => socket.resetAndDestroy(),
  resetSoon: socket => setImmediate(() => socket.resetAndDestroy()),
  end: socket => socket.end(),
  destroy: socket => socket.destroy(),
  answered: socket => socket.once('data', () => socket.resetAndDestroy()),
};

function strike(host, port, bytes, ending) {
  return new Promise(resolve => {
    const socket = net.connect({ host, port, noDelay: true, allowHalfOpen: false });
    let text = '';
    socket.on('error', () => {}).on('data', chunk => { text += chunk.toString('latin1'); }).on('close', () => resolve(text));
    socket.on('connect', () => {
      socket.write(bytes);
      endings[ending](socket);
    });
    socket.setTimeout(20_000, () => socket.destroy());
  });
}

let heard = '';

const attacks = {
  /** Listens where a daemon is thought to be, and answers like one. Answers the port. */
  async pose() {
    heard = '';
    const server = net.createServer(socket => {
      const body = '{"terminals":[]}';
      socket.on('error', () => {}).on('data', bytes => {
        heard += bytes.toString('latin1');
        socket.end(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return server.address().port;
  },

  /** Connects to a unix socket. Answers the error's code, or 'connected'. */
  unixConnect({ path }) {
    return new Promise(resolve => {
      const socket = net.connect(path);
      socket.on('error', error => resolve(error.code)).on('connect', () => {
        socket.destroy();
        resolve('connected');
      });
    });
  },

  /** Everything that pose() was told. */
  async hear() {
    return heard;
  },

  /** Thousands of connections, `width` at a time. Answers how often which status came back. */
  async storm({ host, port, count, width = 40, shape, ending }) {
    const bytes = shapes[shape](port), statuses = {};
    let left = count;
    const worker = async () => {
      while (left-- > 0) {
        const status = /^HTTP\/1\.1 (\d+)/.exec(await strike(host, port, bytes, ending))?.[1] ?? 'none';
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: width }, worker));
    return statuses;
  },

  /** Many connections at once, each with the beginning of a body of `bytes`; what is sent is what the other side takes. They stay
   * until leave(). Answers how many came in. */
  async burden({ host, port, count, bytes, path = '/api/hooks' }) {
    const head = `POST ${path} HTTP/1.1\r\n${at(port)}Content-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`;
    const block = Buffer.alloc(64 << 10, 'x');
    const opened = Array.from({ length: count }, () => new Promise(resolve => {
      const socket = net.connect(port, host);
      let left = bytes - 1, heard = false;
      held.push(socket);
      const done = () => resolve(heard);
      const more = () => {
        while (left > 0) {
          const part = block.subarray(0, Math.min(block.length, left));
          left -= part.length;
          if (!socket.write(part)) return;
        }
        done();
      };
      socket.on('error', () => {}).on('close', done).on('drain', more).on('data', () => { heard = true; })
        .on('connect', () => { socket.write(head); more(); });
    }));
    const heard = await Promise.all(opened);
    return heard.length;
  },

  /** Connections that say nothing. Answers how many the other side has not closed. */
  async crowd({ host, port, count }) {
    for (let i = 0; i < count; i++) {
      const socket = net.connect(port, host).on('error', () => {});
      held.push(socket);
      await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
    }
    return held.filter(socket => !socket.destroyed).length;
  },

  /** Many connections at once, `width` of them under way, each of which says `text` and reads nothing. Answers how many came through. */
  async many({ host, port, path, count, text = '', width = 100 }) {
    let left = count, through = 0;
    const worker = async () => {
      while (left-- > 0) {
        const socket = net.connect(path ? { path } : { host, port }).on('error', () => {}).pause();
        held.push(socket);
        const came = await Promise.race([once(socket, 'connect').then(() => true), once(socket, 'close').then(() => false)]).catch(() => false);
        if (came) through++;
        if (came && text) socket.write(text);
      }
    };
    await Promise.all(Array.from({ length: width }, worker));
    return through;
  },

  /** Waits on a port; answers it, and what was said to it until then, when asked again. */
  async lurk({ port }) {
    if (listener) return said;
    listener = net.createServer(socket => socket.on('error', () => {}).on('data', chunk => { said += chunk.toString('latin1'); }));
    listener.listen(port, '127.0.0.1');
    await once(listener, 'listening');
    return listener.address().port;
  },

  leave() {
    for (const socket of held.splice(0)) socket.destroy();
  },

  /** Some bytes, and all that comes back. */
  async say({ host, port, text }) {
    const socket = net.connect(port, host).on('error', () => {});
    let answer = '';
    socket.on('data', chunk => { answer += chunk.toString('latin1'); });
    socket.write(text);
    await Promise.race([once(socket, 'end'), once(socket, 'close')]).catch(() => {}); // or reset
    socket.destroy();
    return answer;
  },

  /** One request and its answer. */
  async ask({ host, port, tls, method = 'GET', path, headers = {}, body }) {
    const request = (tls ? https : http).request({ rejectUnauthorized: false, host, port, method, path, agent: false, headers: { host: `localhost:${port}`, ...headers } });
    request.end(body);
    const [answer] = await once(request, 'response');
    let text = '';
    for await (const chunk of answer.setEncoding('utf8')) text += chunk;
    return { status: answer.statusCode, headers: answer.headers, text };
  },
};
const held = [];
let listener, said = '';

const [uid, gid] = process.argv.slice(2).map(Number);
process.setgroups([]);
process.setgid(gid);
process.setuid(uid);
process.on('message', async ({ name, options }) => {
  try {
    process.send({ result: await attacks[name](options ?? {}) });
  } catch (error) {
    process.send({ error: String(error.stack) });
  }
});
process.on('disconnect', () => process.exit());
process.send({ uid: process.getuid() });
