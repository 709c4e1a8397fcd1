/* How long to wait before the next attempt to connect. */

export const BACKOFF_FIRST_MS = 500;
export const BACKOFF_MAX_MS = 15_000;

/**
 * Doubles with every failed attempt up to a cap. Half of it is drawn, so that the tabs of a house do not all knock at the
 * same moment after a restart. `random` is in [0, 1).
 */
export function backoff(failures: number, random: number): number {
    const full = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** Math.min(failures, 10));
    return Math.round(full / 2 + (full / 2) * random);
}
