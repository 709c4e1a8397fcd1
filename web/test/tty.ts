/* Frames of ostler.tty.v1, as the daemon makes them. */

export function frame(kind: "output" | "snapshot", epoch: number, offset: number, data: string, size = { cols: 80, rows: 24 }): ArrayBuffer {
    const bytes = new TextEncoder().encode(data);
    const out = new ArrayBuffer(24 + bytes.length);
    const view = new DataView(out);
    view.setUint8(0, kind === "output" ? 1 : 2);
    view.setUint16(2, size.cols, true);
    view.setUint16(4, size.rows, true);
    view.setBigUint64(8, BigInt(epoch), true);
    view.setBigUint64(16, BigInt(offset), true);
    new Uint8Array(out, 24).set(bytes);
    return out;
}
