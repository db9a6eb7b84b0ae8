import type { Account } from "../../app/account.ts";
import type { Live } from "../../server/live.ts";
import { connectLive, isSeen } from "../../server/network.ts";
import { createTeleprinter, type Teleprinter } from "./teleprinter.ts";

/** A teleprinter with its connection to the server. */
export interface ConnectedTeleprinter extends Teleprinter {
  readonly live: Live;
  readonly close: () => void;
}

/** The interval between two loads of the list of devices, in milliseconds. Other pages can change the list, too. */
const readEvery = 60_000;

/** Loads the list of devices immediately, and then regularly while `isNeeded` returns true. */
function readDevices({ devices }: Teleprinter, isNeeded: () => boolean): { readonly stop: () => void } {
  // A failure is ignored, because the next load or catching up repeats it.
  const read = (): void => void devices.load().catch(() => {});
  read();
  const timer = setInterval(() => {
    if (isNeeded()) read();
  }, readEvery);
  return { stop: () => clearInterval(timer) };
}

/** Connects the teleprinter of an account, and keeps its list of devices up to date. */
export function connectTeleprinter(
  { server, shelf, sockets, ended }: Pick<Account, "server" | "shelf" | "sockets" | "ended">,
  window: Window,
): ConnectedTeleprinter {
  const isRead = (): boolean => isSeen(window);
  const isLive = (): boolean => live.state.value === "live";
  const teleprinter: Teleprinter = createTeleprinter({ server, shelf, isSeen: isRead, isLive });
  const { catchUp, receive } = teleprinter;
  const live: Live = connectLive({ sockets, ended }, window, { channel: "teleprinter", catchUp, receive });
  const reading = readDevices(teleprinter, () => isLive() && isRead());
  const close = (): void => {
    reading.stop();
    live.close();
  };
  return { ...teleprinter, live, close };
}
