import { App } from "./App";
import { LoginPage } from "./LoginPage";
import { useServices } from "./services";

/** The board, or the way to it. Nothing is shown before it is known which of the two: that takes one answer of the daemon. */
export function Gate() {
    const { door } = useServices();
    switch (door.state.value) {
        case "unknown":
            return null;
        case "locked":
            return <LoginPage />;
        case "open":
            return <App />;
    }
}
