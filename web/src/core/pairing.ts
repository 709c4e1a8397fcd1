/* How a phone is let in: the address with its code, as text and as the modules of a QR code. */

import { count, listOf, object, optional, text, type Guard } from "./guards";

export interface Pairing {
    url: string;
    expiresIn: number;
    /** A row of the picture is a text of 0 and 1; none where it does not fit into one. */
    rows: string[];
}

export const pairingOf: Guard<Pairing> = (v, path) => {
    const o = object(v, path);
    const rows = optional(listOf(text))(o.qr, `${path}.qr`) ?? [];
    const square = rows.every((row) => row.length === rows.length && /^[01]*$/.test(row));
    return { url: text(o.url, `${path}.url`), expiresIn: count(o.expiresIn, `${path}.expiresIn`), rows: square ? rows : [] };
};

/** The code that an address brings along; null when there is none. */
export const codeOf = (hash: string): string | null => /^#pair=([0-9a-f]{22})$/.exec(hash)?.[1] ?? null;
