/* Addresses of the board. A view is a line in ROUTES and a case in App; links are plain <a href>. */

import { signal, type ReadonlySignal } from "@preact/signals";

const ROUTES = [
    { name: "board", pattern: "/" },
    { name: "session", pattern: "/session/:id" },
    { name: "terminal", pattern: "/session/:id/terminal" },
    { name: "inbox", pattern: "/inbox" },
    { name: "health", pattern: "/health" },
] as const;

export type RouteName = (typeof ROUTES)[number]["name"];

export interface Route {
    name: RouteName;
    params: Readonly<Record<string, string>>;
}

function matchPattern(pattern: string, path: string): Record<string, string> | null {
    const want = pattern.split("/").filter(Boolean);
    const have = path.split("/").filter(Boolean);
    if (want.length !== have.length) return null;
    const params: Record<string, string> = {};
    for (const [i, part] of want.entries()) {
        const given = have[i]!;
        if (part.startsWith(":")) {
            try {
                params[part.slice(1)] = decodeURIComponent(given);
            } catch {
                return null;
            }
        } else if (part !== given) return null;
    }
    return params;
}

/** The route of a path; what leads nowhere is the board. */
export function matchRoute(path: string): Route {
    for (const { name, pattern } of ROUTES) {
        const params = matchPattern(pattern, path);
        if (params) return { name, params };
    }
    return { name: "board", params: {} };
}

export const BOARD_PATH = "/";
export const INBOX_PATH = "/inbox";
export const HEALTH_PATH = "/health";
export const sessionPath = (id: string) => `/session/${encodeURIComponent(id)}`;
/** The terminal of a session over the whole window. */
export const terminalPath = (id: string) => `${sessionPath(id)}/terminal`;

export interface Router {
    route: ReadonlySignal<Route>;
    go(path: string): void;
    /** The same place by its right name: going back does not lead to the other one. */
    rename(path: string): void;
}

/** Follows the address bar and every link within the page. */
export function startRouter(): Router {
    const route = signal(matchRoute(location.pathname));
    const go = (path: string) => {
        if (path !== location.pathname) history.pushState(null, "", path);
        route.value = matchRoute(path);
    };
    const rename = (path: string) => {
        history.replaceState(null, "", path);
        route.value = matchRoute(path);
    };
    window.addEventListener("popstate", () => {
        route.value = matchRoute(location.pathname);
    });
    document.addEventListener("click", (e) => {
        if (e.defaultPrevented || e.button !== 0 || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return;
        const link = (e.target as Element).closest?.("a");
        if (!link || link.target || link.origin !== location.origin) return;
        e.preventDefault();
        go(link.pathname);
    });
    return { route, go, rename };
}
