/* Builds the board's parts and puts them together. */

import { render } from "preact";
import { Store } from "./core/store";
import { browserEnvironment, keepConnected } from "./net/browser";
import { BoardSocket } from "./net/socket";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/header.css";
import "./styles/board.css";
import "./styles/needs.css";
import "./styles/card.css";
import "./styles/panel.css";
import "./styles/notices.css";
import { App } from "./ui/App";
import { Turns } from "./ui/highlight";
import { startRouter } from "./ui/routes";
import { ServicesProvider } from "./ui/services";
import { createTheme } from "./ui/theme";
import { startTicker } from "./ui/ticker";
import { followTitle } from "./ui/title";

const store = new Store();
const socket = new BoardSocket(store, browserEnvironment());
const services = {
    store,
    socket,
    router: startRouter(),
    theme: createTheme(),
    turns: new Turns(),
    now: startTicker(store.clockOffset),
};

followTitle(store);
render(
    <ServicesProvider value={services}>
        <App />
    </ServicesProvider>,
    document.getElementById("app")!,
);
keepConnected(socket);
