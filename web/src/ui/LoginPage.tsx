import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Refusal } from "../net/door";
import { Mark } from "./icons";
import { useServices } from "./services";
import { ThemeToggle } from "./ThemeToggle";
import { refusalWords } from "./words";

/** Asks for the password. It is forgotten as soon as it was right. */
export function LoginPage() {
    return (
        <div class="login">
            <div class="login-tools">
                <ThemeToggle />
            </div>
            <main class="login-card" aria-labelledby="login-title">
                <div class="login-brand">
                    <Mark lit={false} />
                    <h1 id="login-title">ostler</h1>
                </div>
                <LoginForm />
            </main>
        </div>
    );
}

function LoginForm() {
    const { door } = useServices();
    const password = useSignal("");
    const input = useRef<HTMLInputElement>(null);
    const left = useSecondsLeft(door.refusal.value);
    const busy = door.busy.value;
    useEffect(() => input.current?.focus(), []);
    const submit = async () => {
        if (password.peek() === "" || left > 0) return;
        if (await door.enter(password.peek())) return;
        // What was typed is replaced by typing again.
        input.current?.focus();
        input.current?.select();
    };
    return (
        <form
            class="login-form"
            onSubmit={(e) => {
                e.preventDefault();
                void submit();
            }}
        >
            {/* For password managers, which want a name to put it under. */}
            <input class="offscreen" type="text" name="username" autocomplete="username" value="ostler" readonly tabIndex={-1} aria-hidden="true" />
            <label class="field">
                <span>Password</span>
                <input
                    ref={input}
                    type="password"
                    name="password"
                    autocomplete="current-password"
                    required
                    aria-describedby="login-problem"
                    aria-invalid={door.refusal.value?.kind === "wrong"}
                    value={password.value}
                    onInput={(e) => (password.value = e.currentTarget.value)}
                />
            </label>
            <button class="button login-button" type="submit" disabled={busy || left > 0}>
                {busy ? "Checking…" : left > 0 ? `Wait ${left} s` : "Log in"}
            </button>
            <p id="login-problem" class="dialog-problem" role="alert">
                {refusalWords(door.refusal.value, left > 0)}
            </p>
        </form>
    );
}

/** Until one may try again. */
function useSecondsLeft(refusal: Refusal | null): number {
    const { now, store } = useServices();
    if (refusal?.kind !== "wait") return 0;
    const here = now.value - store.clockOffset.value;
    return Math.max(0, Math.min(refusal.seconds, Math.ceil((refusal.until - here) / 1000)));
}
