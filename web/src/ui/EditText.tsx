import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { EditIcon } from "./icons";

interface Props {
    class: string;
    what: string;
    value: string;
    /** What stands there while nobody edits. */
    shown: string;
    max: number;
    /** Answers whether it was taken; if not, the words stay in the field. */
    save(value: string): Promise<boolean>;
}

/** A line of text that can be changed where it stands. Enter and leaving it save, Esc does not. */
export function EditText({ class: name, what, value, shown, max, save }: Props) {
    const draft = useSignal<string | null>(null);
    const saving = useSignal(false);
    const input = useRef<HTMLInputElement>(null);
    const editing = draft.value !== null;
    useLayoutEffect(() => {
        if (editing) input.current?.select();
    }, [editing]);
    const finish = async () => {
        const text = draft.peek()?.trim();
        if (text === undefined || saving.peek()) return;
        saving.value = true;
        if (text === value || (await save(text))) draft.value = null;
        saving.value = false;
    };
    const onKey = (e: KeyboardEvent) => {
        if (e.key === "Enter") void finish();
        else if (e.key === "Escape") draft.value = null;
        else return;
        e.preventDefault();
        (e.currentTarget as HTMLElement).closest<HTMLElement>(".panel")?.focus();
    };
    if (!editing)
        return (
            <div class={name} data-empty={value === ""}>
                <span>{shown}</span>
                <button
                    class="icon-button edit-start"
                    type="button"
                    title={`Edit the ${what}`}
                    aria-label={`Edit the ${what}`}
                    onClick={() => {
                        draft.value = value;
                    }}
                >
                    <EditIcon />
                </button>
            </div>
        );
    return (
        <div class={name}>
            <input
                ref={input}
                type="text"
                aria-label={what}
                autocomplete="off"
                maxLength={max}
                readOnly={saving.value}
                value={draft.value ?? ""}
                onInput={(e) => {
                    draft.value = e.currentTarget.value;
                }}
                onKeyDown={onKey}
                onBlur={() => void finish()}
            />
        </div>
    );
}
