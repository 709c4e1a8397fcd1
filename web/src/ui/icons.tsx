/* Our own drawings, on a grid of 16. Each status has its own shape, so that colour is never the only sign. */

import type { ComponentChildren } from "preact";
import type { Shape } from "../core/status";

function Icon({ children, class: name }: { children: ComponentChildren; class?: string }) {
    return (
        <svg class={`icon ${name ?? ""}`} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
            {children}
        </svg>
    );
}

/** A horseshoe around a lamp; the lamp is lit while somebody asks for you. */
export function Mark({ lit }: { lit: boolean }) {
    return (
        <svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
            <path
                class="mark-shoe"
                d="M8.6 4.6C5.6 10 4.9 15.7 6.7 20.1 8.4 24.3 11.8 26.7 16 26.7s7.6-2.4 9.3-6.6C27.1 15.7 26.4 10 23.4 4.6"
            />
            <path class="mark-nails" d="M7.4 10.5h.01M6.9 16h.01M9.3 21.8h.01M24.6 10.5h.01M25.1 16h.01M22.7 21.8h.01" />
            <circle class={lit ? "mark-lamp lit" : "mark-lamp"} cx="16" cy="14" r="3.5" />
        </svg>
    );
}

const SHAPES: Record<Shape, ComponentChildren> = {
    approval: (
        <>
            <path class="fill" d="M8 .9 15.1 8 8 15.1.9 8z" />
            <path class="cut" d="M8 4.6v4M8 11.1v.01" />
        </>
    ),
    question: (
        <>
            <path class="fill" d="M3 1.5h10A2 2 0 0 1 15 3.5v6a2 2 0 0 1-2 2H8.5L5 15v-3.5H3a2 2 0 0 1-2-2v-6a2 2 0 0 1 2-2z" />
            <path class="cut" d="M4.7 6.6h.01M8 6.6h.01M11.3 6.6h.01" />
        </>
    ),
    plan: (
        <>
            <path class="fill" d="M3.5 1h9A1.5 1.5 0 0 1 14 2.5v11a1.5 1.5 0 0 1-1.5 1.5h-9A1.5 1.5 0 0 1 2 13.5v-11A1.5 1.5 0 0 1 3.5 1z" />
            <path class="cut" d="M5 5h6M5 8h6M5 11h3.5" />
        </>
    ),
    error: (
        <>
            <circle class="fill" cx="8" cy="8" r="7" />
            <path class="cut" d="m5.6 5.6 4.8 4.8M10.4 5.6l-4.8 4.8" />
        </>
    ),
    finished: (
        <>
            <circle class="fill" cx="8" cy="8" r="7" />
            <path class="cut" d="m4.9 8.2 2.2 2.2 4.1-4.5" />
        </>
    ),
    exited: <path class="line" d="M9.5 2H4a1 1 0 0 0-1 1v10a1 1 0 0 0 1 1h5.5M7 8h7M11.5 5.2 14.2 8l-2.7 2.8" />,
    waiting: (
        <>
            <circle class="line" cx="8" cy="8" r="6" />
            <path class="line" d="m5.4 8.2 1.8 1.8 3.4-3.8" />
        </>
    ),
    running: <path class="line" d="M4.5 2.8v10.4L13 8z" />,
    working: (
        <>
            <circle class="line faint" cx="8" cy="8" r="6" />
            <path class="line" d="M8 2a6 6 0 0 1 6 6" />
        </>
    ),
    prompting: <path class="line heavy" d="M3 8h.01M8 8h.01M13 8h.01" />,
    connecting: <circle class="line dashed" cx="8" cy="8" r="6" />,
    idle: <circle class="line" cx="8" cy="8" r="5" />,
    ended: <path class="line" d="M3.5 8h9" />,
};

export function ShapeIcon({ shape }: { shape: Shape }) {
    return <Icon class={`status-icon is-${shape}`}>{SHAPES[shape]}</Icon>;
}

export const CloseIcon = () => (
    <Icon>
        <path class="line" d="m3.5 3.5 9 9M12.5 3.5l-9 9" />
    </Icon>
);

export const SearchIcon = () => (
    <Icon>
        <circle class="line" cx="7" cy="7" r="4.5" />
        <path class="line" d="m10.5 10.5 3.5 3.5" />
    </Icon>
);

export const SunIcon = () => (
    <Icon>
        <circle class="line" cx="8" cy="8" r="3" />
        <path
            class="line"
            d="M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1.1 1.1M11.9 11.9 13 13M13 3l-1.1 1.1M4.1 11.9 3 13"
        />
    </Icon>
);

export const MoonIcon = () => (
    <Icon>
        <path class="line" d="M13.5 9.8A6 6 0 0 1 6.2 2.5a6 6 0 1 0 7.3 7.3z" />
    </Icon>
);

export const LogoutIcon = () => (
    <Icon>
        <path class="line" d="M6.5 14H3.5A1.5 1.5 0 0 1 2 12.5v-9A1.5 1.5 0 0 1 3.5 2h3M10.5 11.5 14 8l-3.5-3.5M14 8H6" />
    </Icon>
);

export const KeyboardIcon = () => (
    <Icon>
        <rect class="line" x="1" y="3.5" width="14" height="9" rx="2" />
        <path class="line" d="M4 6.5h.01M6.7 6.5h.01M9.3 6.5h.01M12 6.5h.01M5 9.7h6" />
    </Icon>
);

export const FailedIcon = () => (
    <Icon>
        <path class="line" d="m4.5 4.5 7 7M11.5 4.5l-7 7" />
    </Icon>
);

const LINKS = "M6 4.8H4.7a3.2 3.2 0 0 0 0 6.4H6M10 4.8h1.3a3.2 3.2 0 0 1 0 6.4H10";

/** Two links of a chain that hold. */
export const MendedIcon = () => (
    <Icon>
        <path class="line" d={`${LINKS}M5.4 8h5.2`} />
    </Icon>
);

/** Two links with nothing between them. */
export const BrokenIcon = () => (
    <Icon>
        <path class="line" d={`${LINKS}M7.3 3.4 6.8 1.6M8.7 12.6l.5 1.8`} />
    </Icon>
);

export const TeamIcon = () => (
    <Icon>
        <circle class="line" cx="8" cy="4" r="2.4" />
        <circle class="line" cx="3.4" cy="12.4" r="2" />
        <circle class="line" cx="12.6" cy="12.4" r="2" />
        <path class="line" d="M6.8 6.4 4.5 10.5M9.2 6.4l2.3 4.1" />
    </Icon>
);

export const ProjectIcon = () => (
    <Icon>
        <path class="line" d="M1.8 12.5v-9h4.4l1.6 2h6.4v7z" />
    </Icon>
);

export const StatusListIcon = () => (
    <Icon>
        <path class="line heavy" d="M2.5 3.5h.01M2.5 8h.01M2.5 12.5h.01" />
        <path class="line" d="M6 3.5h8M6 8h8M6 12.5h8" />
    </Icon>
);

export const EditIcon = () => (
    <Icon>
        <path class="line" d="M10.8 2.6 13.4 5.2 5.3 13.3 2.2 13.8 2.7 10.7z" />
    </Icon>
);

/** A prompt with its cursor. */
export const TerminalIcon = () => (
    <Icon>
        <rect class="line" x="1.2" y="2.2" width="13.6" height="11.6" rx="2" />
        <path class="line" d="m4 6 2.2 2L4 10M8.4 10.4h3.4" />
    </Icon>
);

export const NewTerminalIcon = () => (
    <Icon>
        <path class="line" d="M8 3v10M3 8h10" />
    </Icon>
);

export const FullIcon = () => (
    <Icon>
        <path class="line" d="M9.5 2.5h4v4M13.2 2.8 9.4 6.6M6.5 13.5h-4v-4M2.8 13.2l3.8-3.8" />
    </Icon>
);

export const LeaveIcon = () => (
    <Icon>
        <path class="line" d="M13.5 6.5h-4v-4M9.7 6.3l3.8-3.8M2.5 9.5h4v4M6.3 9.7l-3.8 3.8" />
    </Icon>
);

export const LargerIcon = () => (
    <Icon>
        <path class="line" d="M1.5 12.5 5.2 3.5l3.7 9M2.8 9.5h4.8M11.8 4.6v4.8M9.4 7h4.8" />
    </Icon>
);

export const SmallerIcon = () => (
    <Icon>
        <path class="line" d="M2.5 12.5 5.7 5l3.2 7.5M3.6 10h4.2M10.4 7h4" />
    </Icon>
);

export const UpIcon = () => (
    <Icon>
        <path class="line" d="m3.5 10 4.5-4.5 4.5 4.5" />
    </Icon>
);

export const DownIcon = () => (
    <Icon>
        <path class="line" d="m3.5 6 4.5 4.5L12.5 6" />
    </Icon>
);

/** A tray that something lies in. */
export const InboxIcon = () => (
    <Icon>
        <path class="line" d="M1.8 9.2 3.9 3h8.2l2.1 6.2v3.3a1 1 0 0 1-1 1H2.8a1 1 0 0 1-1-1zM1.8 9.2h3.4l1 1.8h3.6l1-1.8h3.4" />
    </Icon>
);

/** Somebody on the way out. */
export const AwayIcon = () => (
    <Icon>
        <path class="line" d="M2 14V3.2L8 1.5V14M1 14h9M5.8 8h.01M10.5 8H15M12.8 5.6 15.2 8l-2.4 2.4" />
    </Icon>
);

export function BellIcon({ crossed }: { crossed: boolean }) {
    return (
        <Icon>
            <path class="line" d="M4 11.5V7a4 4 0 0 1 8 0v4.5M2.5 11.5h11M6.7 13.7h2.6" />
            {crossed && <path class="line" d="M2.5 2.5l11 11" />}
        </Icon>
    );
}
