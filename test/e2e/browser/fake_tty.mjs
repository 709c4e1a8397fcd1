// The daemon's end of a terminal's socket (ostler.tty.v1), in the hands of the test.

const HEAD_BYTES = 24;
const WAIT_MS = 30_000;

export class FakeTty {
  /** Takes the page's terminal sockets, one after the other. Before page.goto(). `auto` greets and sends a picture. */
  static async install(page, { picture = '', cols = 100, rows = 30, connection = 'live', auto = true } = {}) {
    const tty = new FakeTty();
    Object.assign(tty, { picture, cols, rows, connection, auto, epoch: 1, offset: 1000, urls: [], typed: '', said: [], waiting: new Set() });
    await page.routeWebSocket(/\/ws\/session\//, socket => {
      tty.socket = socket;
      tty.urls.push(new URL(socket.url()));
      socket.onMessage(data => tty.#take(data));
      if (tty.auto) tty.serve();
      tty.#look();
    });
    return tty;
  }

  serve() {
    this.hello();
    const asked = this.urls.at(-1).searchParams;
    if (asked.get('epoch') !== String(this.epoch)) this.snapshot();
  }

  say(message) {
    this.socket.send(JSON.stringify(message));
  }

  hello(fields = {}) {
    const { epoch, offset, cols, rows, connection } = this;
    this.say({ type: 'hello', terminalId: 't1', epoch, offset, cols, rows, connection, readOnly: false, exitCode: null, signal: null, ...fields });
  }

  snapshot(text = this.picture) {
    this.#frame(2, this.offset, `\x18\x1bc\x1b[?25h${text}`);
  }

  output(text) {
    this.#frame(1, this.offset, text);
    this.offset += Buffer.byteLength(text);
  }

  /** The size is another one from now on. */
  resized(cols, rows) {
    Object.assign(this, { cols, rows });
    this.say({ type: 'resized', offset: this.offset, cols, rows });
  }

  /** As if the daemon were gone. */
  drop() {
    this.socket.close({ code: 1012 });
  }

  /** Waits until the condition holds; looked at again with each message and each connection of the page. */
  until(condition) {
    return new Promise((resolve, reject) => {
      const finish = settle => {
        clearTimeout(timer);
        this.waiting.delete(look);
        settle();
      };
      const timer = setTimeout(() => finish(() => reject(new Error(
        `not ${condition} within ${WAIT_MS} ms; typed ${JSON.stringify(this.typed)}, said ${JSON.stringify(this.said)}`))), WAIT_MS);
      const look = () => {
        if (condition()) finish(resolve);
      };
      this.waiting.add(look);
      look();
    });
  }

  #frame(kind, offset, text) {
    const bytes = Buffer.from(text);
    const frame = Buffer.alloc(HEAD_BYTES + bytes.length);
    frame.writeUInt8(kind, 0);
    frame.writeUInt16LE(this.cols, 2);
    frame.writeUInt16LE(this.rows, 4);
    frame.writeBigUInt64LE(BigInt(this.epoch), 8);
    frame.writeBigUInt64LE(BigInt(offset), 16);
    bytes.copy(frame, HEAD_BYTES);
    this.socket.send(frame);
  }

  #take(data) {
    if (typeof data === 'string') {
      const message = JSON.parse(data);
      this.said.push(message);
      if (message.type === 'resize' && this.auto) this.resized(message.cols, message.rows);
    } else this.typed += data.toString();
    this.#look();
  }

  #look() {
    for (const look of [...this.waiting]) look();
  }
}
