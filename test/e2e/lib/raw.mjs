// Requests that no HTTP client would send.
import net from 'node:net';

/** Sends the bytes to a port, or to a socket's path, and answers what came back until the daemon closed or a whole response with
 * a body was there. */
export function raw(port, ...pieces) {
  return new Promise((resolve, reject) => {
    const socket = typeof port === 'string' ? net.connect(port) : net.connect(port, '127.0.0.1');
    let text = '';
    const finish = () => {
      socket.destroy();
      resolve(parse(text));
    };
    socket.setTimeout(20_000, () => reject(new Error(`no answer: ${JSON.stringify(text)}`)));
    socket.on('error', error => (text ? finish() : reject(error)));
    socket.on('data', chunk => {
      text += chunk.toString('latin1');
      if (complete(text)) finish();
    });
    socket.on('end', finish);
    for (const piece of pieces) socket.write(piece);
  });
}

function complete(text) {
  const head = text.indexOf('\r\n\r\n');
  const length = /^content-length: *(\d+)/im.exec(text.slice(0, head));
  return head >= 0 && length && text.length >= head + 4 + Number(length[1]);
}

function parse(text) {
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0);
  const body = text.slice(text.indexOf('\r\n\r\n') + 4);
  const header = name => new RegExp(`^${name}: *(.*)$`, 'im').exec(text)?.[1].trim();
  return { status, text, body, header };
}

export function request(daemon, line, headers = {}, body = '') {
  const all = { Host: `127.0.0.1:${daemon.port}`, ...headers };
  const head = Object.entries(all).filter(([, v]) => v !== undefined).map(([k, v]) => `${k}: ${v}\r\n`).join('');
  return raw(daemon.port, `${line} HTTP/1.1\r\n${head}\r\n`, body);
}

/** The same, and waits until the daemon has closed: answers all that came. */
export function rawToTheEnd(port, ...pieces) {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1');
    let text = '';
    socket.setTimeout(30_000, () => reject(new Error(`not closed: ${JSON.stringify(text)}`)));
    socket.on('error', () => {});
    socket.on('data', chunk => { text += chunk.toString('latin1'); });
    socket.on('close', () => resolve(parse(text)));
    for (const piece of pieces) socket.write(piece);
  });
}
