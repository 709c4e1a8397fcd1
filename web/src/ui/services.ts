/* What the components share, built once in main.tsx and handed down; none of it is a global. */

import type { ReadonlySignal, Signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Store } from "../core/store";
import type { Answers } from "../net/answers";
import type { Api } from "../net/api";
import type { Commands } from "../net/commands";
import type { Door } from "../net/door";
import type { Pushing } from "../net/pushing";
import type { BoardSocket, Environment } from "../net/socket";
import type { Thumbnails } from "../net/thumbnails";
import type { Vitals } from "../net/vitals";
import type { Answering } from "./answering";
import type { BoardView } from "./board_view";
import type { Closing } from "./closing";
import type { Turns } from "./highlight";
import type { Motion } from "./motion";
import type { Prefs } from "./prefs";
import type { Router } from "./routes";
import type { Theme } from "./theme";

export interface Services {
    store: Store;
    socket: BoardSocket;
    api: Api;
    door: Door;
    commands: Commands;
    answers: Answers;
    answering: Answering;
    vitals: Vitals;
    pushing: Pushing;
    router: Router;
    board: BoardView;
    closing: Closing;
    /** The session in the panel, by its stable id. */
    open: ReadonlySignal<string | null>;
    theme: Theme;
    prefs: Prefs;
    environment: Environment;
    thumbnails: Thumbnails;
    /** The session whose terminal is to have the keyboard as soon as it is there. */
    wanted: Signal<string | null>;
    /** What was typed for the open terminal while it had not the focus; it takes it from here. */
    typed: Signal<string>;
    /** The session whose request is to be read, rather than its terminal. */
    reading: Signal<string | null>;
    /** Whether the dialog for a new terminal is open. */
    launching: Signal<boolean>;
    turns: Turns;
    motion: Motion;
    /** The team that the reader points at, if any. */
    team: Signal<string | null>;
    /** The time, once per second. */
    now: ReadonlySignal<number>;
}

const Context = createContext<Services | null>(null);

export const ServicesProvider = Context.Provider;

export function useServices(): Services {
    const services = useContext(Context);
    if (!services) throw new Error("a component outside of ServicesProvider");
    return services;
}
