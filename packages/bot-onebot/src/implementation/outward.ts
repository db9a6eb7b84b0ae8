import type { Telex } from "@telex/core";
import { createOnce, type OneBotUser } from "@telex/core/transport";
import type { Link, LinkHooks } from "../link/link.ts";
import type { Kept } from "../link/keep-socket.ts";
import type { Actor } from "./context.ts";
import type { DispatchDeps } from "./dispatch.ts";
import type { Teller } from "./teller.ts";
import { implementation } from "./tongue.ts";
import { userAgentOf } from "./version.ts";
import { startWebhook } from "./webhook.ts";

/** Milliseconds at most before an attempt to connect again: frameworks are restarted often, and expect it soon. */
const longestWait = 5000;

type Connecting = OneBotUser & { readonly connect: string };

/** What connecting to frameworks needs. */
interface OutwardDeps extends DispatchDeps {
  readonly telex: Telex;
  readonly actorOf: (user: OneBotUser) => Actor;
  readonly serve: (link: Link, user: OneBotUser) => LinkHooks;
  readonly began: (teller: Teller) => () => void;
}

function headersOf({ userId, secret, protocol }: OneBotUser, appVersion: string): Readonly<Record<string, string>> {
  return {
    "user-agent": userAgentOf(protocol, appVersion),
    ...(secret !== null && { authorization: `Bearer ${secret}` }),
    ...(protocol === 11
      ? { "x-self-id": String(userId), "x-client-role": "Universal" }
      : // As a header: the library would refuse a framework that does not repeat it.
        { "sec-websocket-protocol": `12.${implementation}, 12` }),
  };
}

/** Starts what is loaded only now: most servers connect to no framework. The returned function ends it. */
function keepLater(start: () => Promise<Kept>): () => void {
  const ended = new AbortController();
  const begin = async (): Promise<void> => {
    const kept = await start();
    if (ended.signal.aborted) kept.stop();
    else ended.signal.addEventListener("abort", () => kept.stop());
  };
  void begin();
  return () => ended.abort();
}

const isConnecting = (user: OneBotUser): user is Connecting => user.connect !== null;

/** Connects to the frameworks that wait for it, and sends events to those that take requests. */
export function createOutward({ telex, actorOf, serve, began, limiter }: OutwardDeps) {
  const { clock, log } = telex;
  const isFirst = createOnce(clock);
  const open = new Map<number, { readonly key: string; readonly stop: () => void }>();
  const failed = ({ userId }: OneBotUser): void => {
    if (isFirst(String(userId))) log.warn("onebot.framework_unreachable", { userId });
  };
  const begin = (user: Connecting): (() => void) => {
    const actor = actorOf(user);
    if (user.connect.startsWith("http")) {
      return startWebhook({ actor, user, began, failed: () => failed(user), limiter });
    }
    return keepLater(async () => {
      const { keepSocket } = await import("../link/keep-socket.ts");
      return keepSocket({
        clock,
        address: user.connect,
        headers: headersOf(user, actor.appVersion),
        longestWait,
        question: null,
        opened: (link) => serve(link, user),
        failed: () => failed(user),
      });
    });
  };
  let isClosed = false;
  const keyOf = (user: OneBotUser): string => JSON.stringify(user);
  return {
    /** Makes what is open fit the settings of a user; null for one whom no framework reaches any more. */
    fit(userId: number, user: OneBotUser | null): void {
      const current = open.get(userId);
      if (user !== null && current?.key === keyOf(user)) return;
      current?.stop();
      open.delete(userId);
      if (!isClosed && user !== null && isConnecting(user)) open.set(userId, { key: keyOf(user), stop: begin(user) });
    },
    close(): void {
      isClosed = true;
      for (const { stop } of open.values()) stop();
      open.clear();
    },
  };
}
