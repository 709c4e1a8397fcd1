/*
 * Text from outside as it may be shown: the same allow-list as src/base/shown has for terminals and logs. What steers, misleads or
 * hides (control characters, marks of direction, what has no width or no ink) becomes U+FFFD; lines and tabs stay. Joiners and
 * variation selectors stay behind characters that can use them.
 */

/* Nearly everything, decided at once. */
const PLAIN = /^[\n\t\r -~]*$/;
const UNSEEN =
    /(?<![^\p{ASCII}\u200c\u200d])[\u200c\u200d]|(?<![^\p{ASCII}\u200c\u200d\ufe00-\ufe0f]|[0-9#*])[\ufe00-\ufe0f]|(?![\u200c\u200d\ufe00-\ufe0f\n\t\r])(?:\p{Default_Ignorable_Code_Point}|[^\p{L}\p{M}\p{N}\p{P}\p{S}\p{Co} \u00a0\u202f\u3000]|[\u2800\u{1d159}])/gu;

export function shown(text: string): string {
    return PLAIN.test(text) ? text : text.replace(UNSEEN, "\ufffd");
}
