import { InboxIcon } from "./icons";
import { BOARD_PATH, INBOX_PATH } from "./routes";
import { useServices } from "./services";
import { number, plural } from "./words";

/** The way to everything that is asked, with how much that is; everywhere. Afloat it stands where the thumb of a phone's reader is. */
export function InboxLink({ afloat = false }: { afloat?: boolean }) {
    const { store, router } = useServices();
    const waits = store.inbox.open.value.length;
    const there = router.route.value.name === "inbox";
    return (
        <a
            class={afloat ? "inbox-link afloat" : "inbox-link"}
            href={there ? BOARD_PATH : INBOX_PATH}
            data-none={waits === 0}
            aria-current={there ? "page" : undefined}
            aria-label={`Inbox, ${waits === 0 ? "nothing waits" : `${plural(waits, "request")} ${waits === 1 ? "waits" : "wait"}`}`}
            title="Inbox (i)"
        >
            <InboxIcon />
            <span>Inbox</span>
            <b>{waits === 0 ? "" : number(waits)}</b>
        </a>
    );
}
