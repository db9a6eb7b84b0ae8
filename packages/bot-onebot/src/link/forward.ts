import type { Clock } from "@telex/core";
import { WebSocket } from "undici";
import type { Account } from "../account/account.ts";
import type { BotFaults } from "../account/faults.ts";
import type { Link } from "./link.ts";

/** Milliseconds before the first and at most before any later attempt to connect again. */
const backOff = { first: 1000, longest: 60_000 } as const;
/** What every implementation answers: a living one sends something. */
const question = JSON.stringify({ action: "get_status", params: {}, echo: "alive" });

/** A WebSocket of our own as a link. Reading it cannot be stopped: `undici` has no door for that. */
function linkOf(socket: WebSocket): Link {
  const send = (text: string): boolean => {
    const isOpen = socket.readyState === WebSocket.OPEN;
    if (isOpen) socket.send(text);
    return isOpen;
  };
  return {
    send,
    ping: () => void send(question),
    close: (code) => socket.close(code === 1001 ? 1000 : code),
    terminate: () => socket.close(),
    pause() {},
    resume() {},
  };
}

/** A connection that is made again whenever it ends. */
export interface Forward {
  stop(): void;
}

/** What keeping a connection needs. */
interface ForwardDeps {
  readonly clock: Clock;
  readonly faults: BotFaults;
}

/** Connects to an implementation that waits for it: forward WebSocket. Tries again, rarer each time. */
export function keepForward(account: Account, address: string, { clock, faults }: ForwardDeps): Forward {
  const { token, protocol = null, account: name } = account.options;
  let wait: number = backOff.first;
  let isStopped = false;
  let cancel = (): void => {};
  let socket: WebSocket | null = null;

  const again = (): void => {
    if (isStopped) return;
    faults.tell(name, "no connection to the implementation");
    cancel = clock.after(wait, connect);
    wait = Math.min(2 * wait, backOff.longest);
  };
  function connect(): void {
    const opening = new WebSocket(address, { headers: token === null ? {} : { authorization: `Bearer ${token}` } });
    socket = opening;
    let hooks: ReturnType<Account["connect"]> | null = null;
    opening.addEventListener("open", () => {
      wait = backOff.first;
      hooks = account.connect(linkOf(opening), "universal", protocol);
    });
    opening.addEventListener("message", ({ data }) => typeof data === "string" && hooks?.received(data));
    // What went wrong is followed by `close`.
    opening.addEventListener("error", () => {});
    opening.addEventListener("close", () => {
      hooks?.closed();
      again();
    });
  }
  connect();
  return {
    stop() {
      isStopped = true;
      cancel();
      socket?.close();
    },
  };
}
