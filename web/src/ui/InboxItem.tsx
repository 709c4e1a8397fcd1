/* One open request in the inbox, whole; or several that ask for the same thing, once. */

import { useLayoutEffect, useRef } from "preact/hooks";
import { canBe } from "../core/answer";
import type { Same } from "../core/inbox";
import { kindWords, whoOf, type Request } from "../core/request";
import { Answer } from "./Answer";
import type { View } from "./answering";
import { Detail } from "./Detail";
import { Elapsed } from "./Elapsed";
import { Fold } from "./Fold";
import { ShapeIcon } from "./icons";
import { QuestionFields } from "./QuestionFields";
import { sessionPath } from "./routes";
import { useServices } from "./services";
import { useSwipe } from "./swipe";

interface ItemProps {
    same: Same;
    index: number;
    selected: boolean;
    /** On a phone one is open at a time, and its answer is at the foot of the screen. */
    narrow: boolean;
}

/** What the header covers. */
const HEADER = 104;

export function InboxItem({ same, index, selected, narrow }: ItemProps) {
    const { store, answering } = useServices();
    const box = useRef<HTMLElement>(null);
    const requests = same.ids.map((id) => store.inbox.find(id)).filter((r) => r !== undefined) as Request[];
    const r = requests[0];
    useLayoutEffect(() => {
        for (const it of requests) answering.placed("inbox", it, `${index} ${narrow && selected}`);
    });
    useLayoutEffect(() => () => same.ids.forEach((id) => answering.removed("inbox", id)), [same]);
    // Opened by a finger, it begins where it can be read.
    useLayoutEffect(() => {
        if (!narrow || !selected || answering.selected.peek() === null) return;
        const top = box.current!.getBoundingClientRect().top;
        if (top < HEADER || top > window.innerHeight / 2) box.current!.scrollIntoView({ block: "start" });
    }, [narrow && selected]);
    const readable = () => r !== undefined && answering.isWhole(r.id);
    useSwipe(
        box,
        {
            can: (side) => readable() && r!.kind === "approval" && canBe(r!, side === "right" ? "allow" : "deny"),
            act: (side) => void (side === "right" ? answering.allow(requests) : answering.deny(requests)),
        },
        narrow && r?.kind === "approval",
    );
    if (!r) return null;
    const select = () => {
        if (!same.ids.includes(answering.selected.peek() ?? "")) answering.select(r.id);
    };
    return (
        <article
            ref={box}
            class="inbox-item"
            tabIndex={selected ? 0 : -1}
            data-id={r.id}
            data-kind={r.kind}
            data-selected={selected}
            data-folded={narrow && !selected}
            data-guess={!r.certain}
            aria-label={`${kindWords(r)}, ${r.project}`}
            aria-current={selected ? "true" : undefined}
            onClick={select}
            onFocusIn={select}
        >
            <i class="swipe-word" data-side="right" aria-hidden="true">
                Allow
            </i>
            <i class="swipe-word" data-side="left" aria-hidden="true">
                Deny
            </i>
            <div class="inbox-item-body">
                <ItemHead r={r} many={requests.length} folded={narrow && !selected} />
                <RequestText key={`${r.digest} ${narrow && !selected}`} r={r} view="inbox" folded={narrow && !selected} requests={requests} />
                {!narrow && <Answer requests={requests} />}
            </div>
        </article>
    );
}

/** Folded, all of it opens the request, also who asks. */
function ItemHead({ r, many, folded }: { r: Request; many: number; folded: boolean }) {
    const { project, title } = whoOf(r);
    return (
        <header>
            <ShapeIcon shape={r.kind} />
            <b>{kindWords(r)}</b>
            {r.tool && r.kind === "approval" && <span class="chip">{r.tool}</span>}
            <span class="inbox-who">
                {many > 1 ? (
                    <b>{many} that ask for the same</b>
                ) : r.session === null || folded ? (
                    <>
                        <b>{project}</b> {title}
                    </>
                ) : (
                    <a href={sessionPath(r.session)} title="Open its session">
                        <b>{project}</b> {title}
                    </a>
                )}
                {many === 1 && r.agent && <span class="inbox-agent"> · asked by {r.agent}</span>}
            </span>
            <Elapsed since={r.askedAt} />
        </header>
    );
}

interface TextProps {
    r: Request;
    view: View;
    /** Three lines of it, and no more. */
    folded?: boolean;
    requests?: readonly Request[];
}

/** Whatever is asked, drawn as what it is; more than a screenful is folded until somebody wants all of it. */
export function RequestText({ r, view, folded = false, requests = [r] }: TextProps) {
    const { answering } = useServices();
    const unfolded = answering.unfoldedOf(r);
    if (folded) return <Brief r={r} />;
    const asks = r.kind === "question" && r.questions !== null;
    // What is drawn as what it is says it better than the line about it.
    const lead = r.detail === null || (r.form === "text" && !r.detail.startsWith(r.text.replace(/…$/, "")));
    // Choices are not folded: one cannot choose what one does not see.
    if (asks) return <QuestionFields r={r} />;
    return (
        <Fold opened={unfolded} onPart={(part) => answering.setPart(view, r, part)}>
            {lead && r.text && <p class="request-text">{r.text}</p>}
            {r.detail !== null && <Detail form={r.form} text={r.detail} />}
            {requests.length > 1 && <SameList requests={requests} />}
        </Fold>
    );
}

/** As much as three lines hold; tells whether that was all. */
function Brief({ r }: { r: Request }) {
    const { answering } = useServices();
    const ref = useRef<HTMLParagraphElement>(null);
    const whole = r.form === "command" && r.detail !== null;
    useLayoutEffect(() => {
        const box = ref.current!;
        const longer = box.scrollHeight > box.clientHeight + 1;
        const part = longer || (!whole && (r.detail !== null || r.questions !== null));
        box.dataset.longer = String(part);
        answering.setPart("inbox", r, part);
    });
    return (
        <>
            <p class="inbox-brief" ref={ref}>
                {whole ? <code>{r.detail}</code> : r.text}
            </p>
            <p class="inbox-more">… tap to read and answer</p>
        </>
    );
}

/** Who asks for the same, so that all of them can be answered at once, or each by itself. */
function SameList({ requests }: { requests: readonly Request[] }) {
    const { answering } = useServices();
    return (
        <div class="inbox-same">
            <ul>
                {requests.map((r) => {
                    const { project, title } = whoOf(r);
                    return (
                        <li key={r.id}>
                            <span class="inbox-who">
                                <b>{project}</b> {title} {r.agent && `(${r.agent})`}
                            </span>
                            <Elapsed since={r.askedAt} />
                            <button class="button plain" type="button" aria-label={`Allow only ${project} ${title}`} onClick={() => answering.allow([r])}>
                                Allow
                            </button>
                            <button class="button plain" type="button" aria-label={`Deny only ${project} ${title}`} onClick={() => answering.deny([r])}>
                                Deny
                            </button>
                        </li>
                    );
                })}
            </ul>
        </div>
    );
}
