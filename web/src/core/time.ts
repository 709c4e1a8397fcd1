/* Times for people: short, with a width that seldom changes. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const two = (n: number) => String(n).padStart(2, "0");

/** `14s`, `2m 14s`, `1h 05m`, `3d 4h`. A clock behind the daemon's gives `0s`, never something negative. */
export function elapsed(ms: number): string {
    const t = Math.max(0, ms);
    if (t < MINUTE) return `${Math.floor(t / SECOND)}s`;
    if (t < HOUR) return `${Math.floor(t / MINUTE)}m ${two(Math.floor((t % MINUTE) / SECOND))}s`;
    if (t < DAY) return `${Math.floor(t / HOUR)}h ${two(Math.floor((t % HOUR) / MINUTE))}m`;
    return `${Math.floor(t / DAY)}d ${Math.floor((t % DAY) / HOUR)}h`;
}

/** The same in one unit, where seconds would only distract: `now`, `5m`, `3h`, `2d`. */
export function coarse(ms: number): string {
    const t = Math.max(0, ms);
    if (t < MINUTE) return "now";
    if (t < HOUR) return `${Math.floor(t / MINUTE)}m`;
    if (t < DAY) return `${Math.floor(t / HOUR)}h`;
    return `${Math.floor(t / DAY)}d`;
}

/** How long ago something was: `just now`, `5m ago`. */
export function ago(ms: number): string {
    return ms < MINUTE ? "just now" : `${coarse(ms)} ago`;
}

/** `14:02:11` in the reader's zone. */
export function clockTime(at: number): string {
    const d = new Date(at);
    return `${two(d.getHours())}:${two(d.getMinutes())}:${two(d.getSeconds())}`;
}

/** `14:02` in the reader's zone. */
export function minuteTime(at: number): string {
    return clockTime(at).slice(0, 5);
}

/** `14:02:11` today, `Nov 15 14:02` on another day. */
export function dayTime(at: number, now: number): string {
    const d = new Date(at);
    if (d.toDateString() === new Date(now).toDateString()) return clockTime(at);
    return `${d.toLocaleString("en", { month: "short" })} ${d.getDate()} ${two(d.getHours())}:${two(d.getMinutes())}`;
}
