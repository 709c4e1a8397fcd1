/* Builds the board's parts and puts them together. */

import { computed, effect, signal } from "@preact/signals";
import { render } from "preact";
import { GROUPINGS } from "./core/order";
import { codeOf } from "./core/pairing";
import { Store } from "./core/store";
import { Answers } from "./net/answers";
import { Api } from "./net/api";
import { tellBroken } from "./net/broken";
import { browserEnvironment, keepConnected } from "./net/browser";
import { Commands } from "./net/commands";
import { Door } from "./net/door";
import { PageKey, browserStorage } from "./net/key";
import { followGaze } from "./net/looking";
import { Pushing } from "./net/pushing";
import { Renewal } from "./net/renewal";
import { BoardSocket } from "./net/socket";
import { Thumbnails } from "./net/thumbnails";
import { Vitals } from "./net/vitals";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/header.css";
import "./styles/board.css";
import "./styles/needs.css";
import "./styles/card.css";
import "./styles/team.css";
import "./styles/panel.css";
import "./styles/request.css";
import "./styles/answer.css";
import "./styles/inbox.css";
import "./styles/inbox_link.css";
import "./styles/ended.css";
import "./styles/markdown.css";
import "./styles/transcript.css";
import "./styles/terminal.css";
import "./styles/dialog.css";
import "./styles/health.css";
import "./styles/notices.css";
import "./styles/login.css";
import "./styles/logins.css";
import "./styles/notify.css";
import { Answering } from "./ui/answering";
import { BoardView } from "./ui/board_view";
import { Closing } from "./ui/closing";
import { Gate } from "./ui/Gate";
import { Turns } from "./ui/highlight";
import { Motion } from "./ui/motion";
import { followNews } from "./ui/noticing";
import { drawOnlyShown } from "./ui/only_shown";
import { createPrefs } from "./ui/prefs";
import { recall, remember } from "./ui/remember";
import { startRouter } from "./ui/routes";
import { followSeen } from "./ui/seen";
import { ServicesProvider } from "./ui/services";
import { createTheme } from "./ui/theme";
import { startTicker } from "./ui/ticker";
import { followTitle } from "./ui/title";

const store = new Store();
const key = new PageKey(browserStorage());
const environment = browserEnvironment(key);
const socket = new BoardSocket(store, environment);
const api = new Api((path, init) => fetch(path, init), key);
const door = new Door(api, socket, environment, key);
new Renewal(api, key, environment);
const commands = new Commands(store, api);
const router = startRouter();
const pushing = new Pushing(api);
const open = computed(() => {
    const { name, params } = router.route.value;
    return name === "session" || name === "terminal" ? (store.find(params.id ?? "")?.value.id ?? null) : null;
});
const board = new BoardView(store, open);
const answers = new Answers(store.inbox, socket, api, commands, environment);
const services = {
    store,
    socket,
    api,
    door,
    commands,
    answers,
    answering: new Answering(store, answers, board.layout, () => performance.now(), (text) => commands.tell(text)),
    vitals: new Vitals(api),
    pushing,
    router,
    board,
    closing: new Closing(store, commands, router, open, board),
    open,
    theme: createTheme(),
    prefs: createPrefs(),
    environment,
    thumbnails: new Thumbnails(socket, environment),
    wanted: signal<string | null>(null),
    typed: signal(""),
    reading: signal<string | null>(null),
    launching: signal(false),
    turns: new Turns(),
    motion: new Motion(
        environment,
        () => Number(document.timeline.currentTime),
        () => window.matchMedia("(prefers-reduced-motion: reduce)").matches,
    ),
    team: signal<string | null>(null),
    now: startTicker(store.clockOffset),
};

const GROUPING_KEY = "ostler.grouping";
store.grouping.value = recall(GROUPING_KEY, GROUPINGS) ?? "project";
effect(() => remember(GROUPING_KEY, store.grouping.value));
followTitle(store, door);
followSeen(store, api, open);
followGaze(store, socket, { open, board: computed(() => router.route.value.name !== "health" && router.route.value.name !== "inbox") }, environment);
tellBroken(store, commands, open);
followNews(store, pushing, router);
effect(() => {
    if (door.state.value === "open") void pushing.resume().catch(() => {});
});
document.addEventListener("visibilitychange", () => services.thumbnails.rest(document.visibilityState === "hidden"));
drawOnlyShown();
render(
    <ServicesProvider value={services}>
        <Gate />
    </ServicesProvider>,
    document.getElementById("app")!,
);
// The code of a pairing is used up, and taken out of the address, before anything else is asked of the daemon.
const code = codeOf(location.hash);
if (code !== null) history.replaceState(null, "", location.pathname);
void (code === null ? Promise.resolve() : door.claim(code)).finally(() => keepConnected(socket, door, key));
