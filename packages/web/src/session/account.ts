import { type Signal, signal } from "@preact/signals";
import type { Chat } from "../chat/chat.ts";
import { createLive, type Live } from "../live/live.ts";
import { createTeleprinter, type Teleprinter } from "../teleprinter/teleprinter.ts";
import type { Shelf } from "../shelf.ts";
import { connectServer, type Server } from "./server.ts";
import type { SignedIn } from "./session.ts";

/** Everything that belongs to the person who is signed in. Ends when they sign out. */
export interface Account {
  readonly person: SignedIn["person"];
  readonly live: Live;
  readonly teleprinter: Teleprinter;
  /** The conversations with models, from when they were first looked at. Their code is loaded then. */
  readonly chat: Signal<Chat | null>;
  readonly server: Server;
  /** Where is kept what the person writes. */
  readonly shelf: Shelf;
  /** The address of a socket of the server, with the token. */
  readonly openSocket: (path: string) => WebSocket;
  /** The token is not valid any more. */
  readonly ended: () => void;
  readonly close: () => void;
}

/** What an account needs. */
export interface AccountOptions {
  readonly signedIn: SignedIn;
  readonly language: string;
  readonly window: Window;
  /** The token is not valid any more. */
  readonly ended: () => void;
}

/** Milliseconds between two looks at the list of devices: it may have changed elsewhere. */
const lookInterval = 60_000;

/** What a subprotocol consists of (RFC 9110 5.6.2). */
const isSubprotocol = /^[!#$%&'*+\-.^_`|~\w]+$/;

/** Connects the page for a person. */
export function createAccount({ signedIn, language, window, ended }: AccountOptions): Account {
  const { person, shelf } = signedIn;
  const { origin, host, protocol } = window.location;
  const server = connectServer({ origin, token: person.token, language, ended });
  const isSeen = (): boolean => window.document.visibilityState === "visible";
  const teleprinter: Teleprinter = createTeleprinter({ server, shelf, isSeen, isLive: () => isLive() });
  const chat = signal<Chat | null>(null);
  const openSocket = (path: string): WebSocket => {
    const url = `${protocol === "https:" ? "wss" : "ws"}://${host}/external/api/v1/${path}/webSocket`;
    // A token of another issuer may have characters that a subprotocol cannot have.
    return isSubprotocol.test(person.token)
      ? new WebSocket(url, ["telex", `bearer.${person.token}`])
      : new WebSocket(`${url}/${encodeURIComponent(person.token)}`);
  };
  const live = createLive({
    open: () => openSocket("teleprinter"),
    catchUp: teleprinter.catchUp,
    receive: teleprinter.receive,
    hasNetwork: () => window.navigator.onLine,
    ended,
  });
  function isLive(): boolean {
    return live.state.value === "live";
  }

  const listening = new AbortController();
  const { signal: listens } = listening;
  window.addEventListener("online", live.check, { signal: listens });
  window.addEventListener("offline", live.drop, { signal: listens });
  window.document.addEventListener("visibilitychange", () => isSeen() && live.check(), { signal: listens });
  // A look that fails is made good by the next, or by catching up.
  const lookAtDevices = (): void => void teleprinter.devices.load().catch(() => {});
  lookAtDevices();
  const look = setInterval(() => {
    if (isLive() && isSeen()) lookAtDevices();
  }, lookInterval);
  return {
    person,
    live,
    teleprinter,
    chat,
    server,
    shelf,
    openSocket,
    ended,
    close() {
      chat.peek()?.close();
      clearInterval(look);
      listening.abort();
      live.close();
    },
  };
}
