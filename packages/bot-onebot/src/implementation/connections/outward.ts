import type { Telex } from "@telex/core";
import { createOnce, type OneBotUser } from "@telex/core/transport";
import type { Incoming } from "../../link/incoming.ts";
import type { Link, LinkHooks } from "../../link/link.ts";
import type { Kept } from "../../link/keep-socket.ts";
import type { Actor } from "../context.ts";
import type { DispatchDeps } from "../dispatch.ts";
import type { Teller } from "../teller.ts";
import { implementation } from "../tongue.ts";
import { userAgentOf } from "../version.ts";
import { startWebhook } from "./webhook.ts";

/** Maximum milliseconds before an attempt to reconnect: frameworks are restarted often, and expect it soon. */
const longestWait = 5000;

type Connecting = OneBotUser & { readonly connect: string };

interface OutwardDeps extends DispatchDeps {
  readonly telex: Telex;
  readonly incoming: Incoming;
  readonly actorOf: (user: OneBotUser) => Actor;
  readonly serve: (link: Link, user: OneBotUser) => LinkHooks;
  readonly began: (teller: Teller) => () => void;
}

const headersOf = ({ userId, secret, protocol }: OneBotUser, appVersion: string): Readonly<Record<string, string>> => ({
  "user-agent": userAgentOf(protocol, appVersion),
  ...(secret !== null && { authorization: `Bearer ${secret}` }),
  ...(protocol === 11
    ? { "x-self-id": String(userId), "x-client-role": "Universal" }
    : // Sent as a header: the library would refuse a framework that does not repeat it.
      { "sec-websocket-protocol": `12.${implementation}, 12` }),
});

/** Starts a connection whose module is loaded late, because most servers connect to no framework. The returned function ends it. */
function keepLater(start: () => Promise<Kept>): () => void {
  const ended = new AbortController();
  const begin = async (): Promise<void> => {
    const connection = await start();
    if (ended.signal.aborted) connection.stop();
    else ended.signal.addEventListener("abort", () => connection.stop());
  };
  void begin();
  return () => ended.abort();
}

const isConnecting = (user: OneBotUser): user is Connecting => user.connect !== null;

/** Only one of several servers connects: a framework would answer an event twice if it got it twice. The returned function ends it. */
function connectAlone({ leases }: Telex, userId: number, connect: () => () => void): () => void {
  let stop = (): void => {};
  const lease = leases.open(`onebot/${userId}`, {
    held: () => {
      stop = connect();
    },
    lost: () => stop(),
  });
  lease.keep();
  return () => {
    stop();
    void lease.release();
  };
}

/** Connects to the frameworks that wait for it, and sends events to those that take requests. */
export function createOutward({ telex, incoming, actorOf, serve, began, limiter }: OutwardDeps) {
  const { clock, log } = telex;
  const isFirst = createOnce(clock);
  const open = new Map<number, { readonly key: string; readonly stop: () => void }>();
  const failed = ({ userId }: OneBotUser, reason: string): void => {
    if (isFirst(`${userId} ${reason}`)) log.warn("onebot.framework_unreachable", { userId, reason });
  };
  const connect = (user: Connecting): (() => void) => {
    const actor = actorOf(user);
    if (user.connect.startsWith("http")) {
      return startWebhook({
        actor,
        user,
        began,
        failed: () => failed(user, "The address has not taken an event."),
        limiter,
      });
    }
    return keepLater(async () => {
      const { keepSocket } = await import("../../link/keep-socket.ts");
      return keepSocket({
        clock,
        address: user.connect,
        headers: headersOf(user, actor.appVersion),
        longestWait,
        incoming,
        fault: (cause) => actor.faults.tell(String(user.userId), cause),
        opened: (link) => serve(link, user),
        failed: ({ text }) => failed(user, text),
      });
    });
  };
  let isClosed = false;
  const keyOf = (user: OneBotUser): string => JSON.stringify(user);
  return {
    /** Adapts open connections to the settings of a user; null for a user whom frameworks no longer reach. */
    fit(userId: number, user: OneBotUser | null): void {
      const current = open.get(userId);
      if (user !== null && current?.key === keyOf(user)) return;
      current?.stop();
      open.delete(userId);
      if (isClosed || user === null || !isConnecting(user)) return;
      open.set(userId, { key: keyOf(user), stop: connectAlone(telex, userId, () => connect(user)) });
    },
    close(): void {
      isClosed = true;
      for (const { stop } of open.values()) stop();
      open.clear();
    },
  };
}
