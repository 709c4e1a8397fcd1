/* What admits a value from outside: a guard answers it with its type, or throws with the path of the offender. */

/** Why a message was not taken; for the console, not for people. */
export class ProtocolError extends Error {
    override name = "ProtocolError";
}

export type Json = Record<string, unknown>;
export type Guard<T> = (value: unknown, path: string) => T;

function fail(path: string, wanted: string): never {
    throw new ProtocolError(`${path}: expected ${wanted}`);
}

export const object: Guard<Json> = (v, path) =>
    typeof v === "object" && v !== null && !Array.isArray(v) ? (v as Json) : fail(path, "an object");
export const text: Guard<string> = (v, path) => (typeof v === "string" ? v : fail(path, "a string"));
export const name: Guard<string> = (v, path) => (text(v, path) !== "" ? (v as string) : fail(path, "a non-empty string"));
export const flag: Guard<boolean> = (v, path) => (typeof v === "boolean" ? v : fail(path, "true or false"));
export const time: Guard<number> = (v, path) =>
    typeof v === "number" && Number.isFinite(v) && v >= 0 ? v : fail(path, "a time in milliseconds");
export const number: Guard<number> = (v, path) =>
    typeof v === "number" && Number.isFinite(v) ? v : fail(path, "a number");
export const count: Guard<number> = (v, path) =>
    Number.isSafeInteger(v) && (v as number) >= 0 ? (v as number) : fail(path, "a count");

export function oneOf<T extends string>(words: readonly T[]): Guard<T> {
    return (v, path) => (words.includes(v as T) ? (v as T) : fail(path, `one of ${words.join(", ")}`));
}

export function optional<T>(guard: Guard<T>): Guard<T | null> {
    return (v, path) => (v === null || v === undefined ? null : guard(v, path));
}

export function listOf<T>(guard: Guard<T>): Guard<T[]> {
    return (v, path) => (Array.isArray(v) ? v.map((item, i) => guard(item, `${path}[${i}]`)) : fail(path, "a list"));
}

/** An object of whatever keys, as a map: a key of the wire is never looked up in an object's prototype. */
export function mapOf<T>(guard: Guard<T>): Guard<Map<string, T>> {
    return (v, path) => new Map(Object.entries(object(v, path)).map(([key, item]) => [key, guard(item, `${path}.${key}`)]));
}

/** Of what an agent wrote, and may have written in any way: what does not fit is null, and takes nothing else with it. */
export function ifFits<T>(guard: Guard<T>): Guard<T | null> {
    return (v, path) => {
        try {
            return optional(guard)(v, path);
        } catch (e) {
            if (e instanceof ProtocolError) return null;
            throw e;
        }
    };
}
