/*
 * The keys that answer: for the request that is chosen in the inbox, or that of the session one is at. What is not on the
 * screen, or not whole, is shown in the inbox first; a key never answers what cannot be seen.
 */

import type { Request } from "../core/request";
import { canBe } from "../core/answer";
import type { FormName } from "./answering";
import { sessionHere } from "./keys";
import { INBOX_PATH } from "./routes";
import type { Services } from "./services";

/** What a key is meant for; nothing when nobody asks. */
function meant({ store, answering, router }: Services): Request[] {
    if (router.route.peek().name === "inbox") return answering.requestsOf(answering.current.peek());
    const here = sessionHere();
    const [id] = here ? store.inbox.ofSession(here.id) : [];
    const r = id === undefined ? undefined : store.inbox.peek(id);
    return r ? [r] : [];
}

function showInInbox({ answering, router }: Services, requests: readonly Request[]): void {
    if (requests[0]) answering.select(requests[0].id);
    router.go(INBOX_PATH);
}

export function allowKey(services: Services): void {
    const { answering, socket, router } = services;
    const requests = meant(services);
    const first = requests[0];
    if (!first || (router.route.peek().name !== "inbox" && !answering.isWhole(first.id))) showInInbox(services, requests);
    else if (socket.connection.peek().phase === "live") answering.allow(requests);
}

export function formKey(services: Services, name: FormName): void {
    const { answering } = services;
    const requests = meant(services);
    const first = requests[0];
    if (!first || !answering.hasRoom(first.id)) showInInbox(services, requests);
    if (first && canBe(first, name)) answering.open(first.id, name);
}
