import { createLive, type Live } from "../live/live.ts";
import { createTeleprinter, type Teleprinter } from "../teleprinter/teleprinter.ts";
import { connectServer } from "./server.ts";
import type { SignedIn } from "./session.ts";

/** Everything that belongs to the person who is signed in. Ends when they sign out. */
export interface Account {
  readonly person: SignedIn["person"];
  readonly live: Live;
  readonly teleprinter: Teleprinter;
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

/** Connects the page for a person. */
export function createAccount({ signedIn, language, window, ended }: AccountOptions): Account {
  const { person, shelf } = signedIn;
  const { origin, host, protocol } = window.location;
  const server = connectServer({ origin, token: person.token, language, ended });
  const isSeen = (): boolean => window.document.visibilityState === "visible";
  const teleprinter: Teleprinter = createTeleprinter({ server, shelf, isSeen, isLive: () => isLive() });
  const sockets = `${protocol === "https:" ? "wss" : "ws"}://${host}/external/api/v1/teleprinter/webSocket/`;
  const live = createLive({
    open: () => new WebSocket(sockets + encodeURIComponent(person.token)),
    catchUp: teleprinter.catchUp,
    receive: teleprinter.receive,
    hasNetwork: () => window.navigator.onLine,
    ended,
  });
  function isLive(): boolean {
    return live.state.value === "live";
  }

  const listening = new AbortController();
  const { signal } = listening;
  window.addEventListener("online", live.check, { signal });
  window.addEventListener("offline", live.drop, { signal });
  window.document.addEventListener("visibilitychange", () => isSeen() && live.check(), { signal });
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
    close() {
      clearInterval(look);
      listening.abort();
      live.close();
    },
  };
}
