import { type Signal, signal } from "@preact/signals";
import type { Chat } from "../chat/chat.ts";
import type { Rooms } from "../rooms/state/rooms.ts";
import type { Live } from "../server/live.ts";
import { connectLive, isSeen } from "../server/network.ts";
import { createTeleprinter, type Teleprinter } from "../teleprinter/teleprinter.ts";
import { connectServer, type Server } from "../server/server.ts";
import { connectUploads } from "../server/upload.ts";
import type { AccountServices } from "../app/services.ts";
import type { SignedIn } from "../app/session.ts";

/** Everything that belongs to the person who is signed in. Ends when they sign out. */
export interface Account extends AccountServices {
  readonly live: Live;
  readonly teleprinter: Teleprinter;
  /** The conversations with models, from when they were first looked at. Their code is loaded then. */
  readonly chat: Signal<Chat | null>;
  /** The rooms, from shortly after the page opened. Their code is loaded then. */
  readonly rooms: Signal<Rooms | null>;
  readonly close: () => void;
}

/** Dependencies of an account. */
interface AccountOptions {
  readonly signedIn: SignedIn;
  readonly language: string;
  readonly window: Window;
  /** The token is not valid any more. */
  readonly ended: () => void;
}

/** Milliseconds between two looks at the list of devices: it may have changed elsewhere. */
const lookInterval = 60_000;

/** Looks at the list of devices now, and from time to time while `isNeeded`. */
function lookAtDevices({ devices }: Teleprinter, isNeeded: () => boolean): { readonly stop: () => void } {
  // A look that fails is made good by the next, or by catching up.
  const look = (): void => void devices.load().catch(() => {});
  look();
  const timer = setInterval(() => {
    if (isNeeded()) look();
  }, lookInterval);
  return { stop: () => clearInterval(timer) };
}

/** The teleprinter of a person, connected, with its list of devices looked at from time to time. */
function connectTeleprinter({ signedIn, window, ended }: AccountOptions, server: Server, sockets: Account["sockets"]) {
  const isRead = (): boolean => isSeen(window);
  const isLive = (): boolean => live.state.value === "live";
  const teleprinter: Teleprinter = createTeleprinter({ server, shelf: signedIn.shelf, isSeen: isRead, isLive });
  const { catchUp, receive } = teleprinter;
  const live: Live = connectLive({ sockets, ended }, window, { channel: "teleprinter", catchUp, receive });
  const looking = lookAtDevices(teleprinter, () => isLive() && isRead());
  const close = (): void => {
    looking.stop();
    live.close();
  };
  return { teleprinter, live, close };
}

/** Connects the page for a person. */
export function createAccount(options: AccountOptions): Account {
  const { signedIn, language, window, ended } = options;
  const { person, shelf } = signedIn;
  const { origin } = window.location;
  const sockets = { url: origin, token: person.token, language };
  const place = { origin, token: person.token, language, ended };
  const server = connectServer(place);
  const { teleprinter, live, close: closeTeleprinter } = connectTeleprinter(options, server, sockets);
  const [chat, rooms] = [signal<Chat | null>(null), signal<Rooms | null>(null)];
  const upload = connectUploads(place);
  const close = (): void => {
    chat.peek()?.close();
    rooms.peek()?.close();
    closeTeleprinter();
  };
  return { person, live, teleprinter, chat, rooms, server, upload, shelf, sockets, ended, close };
}
