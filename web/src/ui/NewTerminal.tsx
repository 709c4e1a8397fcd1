import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { PROGRAMS, PROGRAM_NAMES, launchProblem, launchRequest, recentDirectories, type LaunchForm } from "../core/launch";
import type { HookSetup } from "../core/hook_setup";
import { arrival } from "../net/arrival";
import { CopyButton } from "./CopyButton";
import { CloseIcon } from "./icons";
import { recall, recallText, remember } from "./remember";
import { sessionPath } from "./routes";
import { useServices } from "./services";

const PROGRAM_KEY = "ostler.launch.program";
const COMMAND_KEY = "ostler.launch.command";
const DIRECTORY_KEY = "ostler.launch.directory";

/** Starts an agent, a shell or any command in a terminal of the daemon's. */
export function NewTerminal({ onClose }: { onClose: () => void }) {
    const { store, open } = useServices();
    const ref = useRef<HTMLDialogElement>(null);
    const recent = useMemo(() => recentDirectories(store.all()), []);
    const form = useSignal<LaunchForm>({
        program: recall(PROGRAM_KEY, PROGRAMS) ?? "claude",
        command: recallText(COMMAND_KEY) ?? "",
        directory: store.find(open.peek() ?? "")?.peek().projectPath || (recallText(DIRECTORY_KEY) ?? recent[0] ?? "~"),
        name: "",
    });
    useEffect(() => ref.current?.showModal(), []);
    return (
        <dialog
            ref={ref}
            class="dialog new-terminal"
            aria-labelledby="new-title"
            onClose={onClose}
            onClick={(e) => {
                if (e.target === ref.current) ref.current?.close();
            }}
        >
            <header class="dialog-head">
                <h2 id="new-title">New terminal</h2>
                <button class="icon-button" type="button" onClick={() => ref.current?.close()} aria-label="Close">
                    <CloseIcon />
                </button>
            </header>
            <LaunchFields form={form} recent={recent} close={() => ref.current?.close()} />
        </dialog>
    );
}

function LaunchFields({ form, recent, close }: { form: { value: LaunchForm; peek(): LaunchForm }; recent: string[]; close: () => void }) {
    const launch = useLaunch(form, close);
    const { program, command, directory, name } = form.value;
    const setup = useSetup();
    const install = setup?.get(program)?.install ?? null;
    const change = (fields: Partial<LaunchForm>) => {
        form.value = { ...form.peek(), ...fields };
        launch.problem.value = null;
    };
    return (
        <form
            class="dialog-body"
            onSubmit={(e) => {
                e.preventDefault();
                void launch.start();
            }}
        >
            <fieldset class="programs">
                <legend>Run</legend>
                {PROGRAMS.map((p) => (
                    <label key={p} data-missing={(setup?.get(p)?.install ?? null) !== null}>
                        <input type="radio" name="program" value={p} checked={p === program} autofocus={p === program} onChange={() => change({ program: p })} />
                        <span>{PROGRAM_NAMES[p]}</span>
                    </label>
                ))}
            </fieldset>
            {install !== null && <NotInstalled name={PROGRAM_NAMES[program]} install={install} />}
            <label class="field" data-idle={program !== "other"}>
                <span>Command</span>
                <input
                    type="text"
                    class="mono"
                    autocomplete="off"
                    autocapitalize="off"
                    spellcheck={false}
                    disabled={program !== "other"}
                    placeholder={program === "shell" ? "your login shell" : program === "other" ? "npm run dev" : program}
                    value={program === "other" ? command : ""}
                    onInput={(e) => change({ command: e.currentTarget.value })}
                />
            </label>
            <label class="field">
                <span>Directory</span>
                <input
                    type="text"
                    class="mono"
                    list="recent-directories"
                    autocomplete="off"
                    autocapitalize="off"
                    spellcheck={false}
                    value={directory}
                    onInput={(e) => change({ directory: e.currentTarget.value })}
                />
                <datalist id="recent-directories">
                    {recent.map((path) => (
                        <option key={path} value={path} />
                    ))}
                </datalist>
            </label>
            <label class="field">
                <span>Name</span>
                <input
                    type="text"
                    autocomplete="off"
                    maxLength={500}
                    placeholder="optional"
                    value={name}
                    onInput={(e) => change({ name: e.currentTarget.value })}
                />
            </label>
            <p class="dialog-problem" role="alert">
                {launch.problem}
            </p>
            <div class="dialog-buttons">
                <button class="button plain" type="button" onClick={close}>
                    Cancel
                </button>
                <button class="button primary" type="submit" disabled={launch.starting.value}>
                    {launch.starting.value ? "Starting…" : install === null ? "Start" : "Start anyway"}
                </button>
            </div>
        </form>
    );
}

/** What the daemon knows of the CLIs; null until it has answered, or when it does not. */
function useSetup(): HookSetup | null {
    const { api } = useServices();
    const setup = useSignal<HookSetup | null>(null);
    useEffect(() => {
        api.hookSetup().then(
            (found) => (setup.value = found),
            () => {}, // then nothing is said about them
        );
    }, []);
    return setup.value;
}

function NotInstalled({ name, install }: { name: string; install: string }) {
    return (
        <div class="not-installed" role="status">
            <p>{name} is not installed on this machine. This installs it:</p>
            <div>
                <code>{install}</code>
                <CopyButton text={install} />
            </div>
        </div>
    );
}

/** Starts what the form says and goes there, with the keyboard in its terminal. */
function useLaunch(form: { peek(): LaunchForm }, close: () => void) {
    const { api, router, store, wanted, environment } = useServices();
    const problem = useSignal<string | null>(null);
    const starting = useSignal(false);
    const start = async () => {
        const filled = form.peek();
        problem.value = launchProblem(filled);
        if (problem.peek() !== null || starting.peek()) return;
        starting.value = true;
        try {
            const session = await api.startTerminal(launchRequest(filled));
            remember(PROGRAM_KEY, filled.program);
            if (filled.program === "other") remember(COMMAND_KEY, filled.command.trim());
            remember(DIRECTORY_KEY, filled.directory.trim() || null);
            const s = await arrival(store, session, environment);
            wanted.value = s?.id ?? null;
            close();
            router.go(sessionPath(s?.id ?? session));
        } catch (e) {
            problem.value = e instanceof Error ? e.message : String(e);
        }
        starting.value = false;
    };
    return { problem, starting, start };
}
