/* Which CLIs are connected: what the daemon says of the hooks in their settings. */

import { flag, listOf, mapOf, object, optional, text, type Guard } from "./guards";

export interface CliHooks {
    /** The CLI is on the daemon's machine, as far as one can see. */
    present: boolean;
    installed: boolean;
    /** The command that installs the CLI itself, where its program was not found; else null. */
    install: string | null;
    /** Of events that are reported. */
    events: string[];
    file: string;
    /** Sentences: why they do not run, or cannot be read. */
    problems: string[];
}

export type HookSetup = Map<string, CliHooks>;

const cliHooksOf: Guard<CliHooks> = (v, path) => {
    const o = object(v, path);
    const error = optional(text)(o.error, `${path}.error`);
    const blocked = listOf(text)(o.blocked, `${path}.blocked`);
    return {
        present: flag(o.present, `${path}.present`),
        installed: flag(o.installed, `${path}.installed`),
        install: o.program === null ? optional(text)(o.install, `${path}.install`) : null,
        events: listOf(text)(o.events, `${path}.events`),
        file: text(o.file, `${path}.file`),
        problems: error === null ? blocked : [error, ...blocked],
    };
};

export const hookSetupOf: Guard<HookSetup> = (v, path) => mapOf(cliHooksOf)(object(v, path).clis, `${path}.clis`);
