import { useEffect } from "preact/hooks";
import type { Notice } from "../net/commands";
import { CloseIcon } from "./icons";
import { sessionPath } from "./routes";
import { useServices } from "./services";

/** Long enough to read a sentence twice. */
const SHOWN_MS = 15_000;

/** What did not come to pass, and why. */
export function Notices() {
    const { commands } = useServices();
    return (
        <div class="notices" role="alert">
            {commands.notices.value.map((notice) => (
                <NoticeLine key={notice.key} notice={notice} />
            ))}
        </div>
    );
}

function NoticeLine({ notice }: { notice: Notice }) {
    const { commands } = useServices();
    useEffect(() => {
        if (notice.about !== null) return;
        const timer = window.setTimeout(() => commands.dismiss(notice.key), SHOWN_MS);
        return () => window.clearTimeout(timer);
    }, [notice.key]);
    return (
        <p class="notice-line">
            <span>{notice.text}</span>
            {notice.about !== null && (
                <a class="notice-open" href={sessionPath(notice.about)}>
                    Open
                </a>
            )}
            <button class="icon-button" type="button" onClick={() => commands.dismiss(notice.key)} aria-label="Dismiss">
                <CloseIcon />
            </button>
        </p>
    );
}
