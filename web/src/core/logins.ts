/* Who is logged in, as the daemon lists it. */

import { flag, listOf, name, object, oneOf, optional, text, time, type Guard } from "./guards";

export interface Login {
    id: string;
    /** A browser's, or the token of a program. */
    kind: "browser" | "token";
    createdAt: number;
    lastUsedAt: number;
    expiresAt: number;
    address: string;
    /** Of the daemon's machine, when it is known. */
    user: string | null;
    agent: string | null;
    /** That a person gave it. */
    name: string | null;
    lookOnly: boolean;
    /** It is the one that asks. */
    current: boolean;
}

const loginOf: Guard<Login> = (v, path) => {
    const o = object(v, path);
    return {
        id: name(o.id, `${path}.id`),
        kind: oneOf(["browser", "token"])(o.kind, `${path}.kind`),
        createdAt: time(o.createdAt, `${path}.createdAt`),
        lastUsedAt: time(o.lastUsedAt, `${path}.lastUsedAt`),
        expiresAt: time(o.expiresAt, `${path}.expiresAt`),
        address: text(o.address, `${path}.address`),
        user: optional(text)(o.user, `${path}.user`),
        agent: optional(text)(o.agent, `${path}.agent`),
        name: optional(text)(o.name, `${path}.name`),
        lookOnly: optional(flag)(o.lookOnly, `${path}.lookOnly`) ?? false,
        current: flag(o.current, `${path}.current`),
    };
};

/** This one first, then the one that was used last. */
export const loginsOf: Guard<Login[]> = (v, path) =>
    listOf(loginOf)(object(v, path).logins, `${path}.logins`).sort(
        (a, b) => Number(b.current) - Number(a.current) || b.lastUsedAt - a.lastUsedAt,
    );
