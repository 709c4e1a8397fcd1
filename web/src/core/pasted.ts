/* Text out of a clipboard, which may be any page's or any program's. */

/** As a program may get it: what would speak to it, or end the brackets that tell it that nobody typed this, becomes a picture of itself. */
export function pasted(text: string): string {
    return text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g, (c) => {
        const code = c.charCodeAt(0);
        if (code < 0x20) return String.fromCharCode(0x2400 + code);
        return code === 0x7f ? "\u2421" : "\ufffd";
    });
}
