import type { Caller } from "@telex/ws/client";
import { createLive, type Live, type LiveOptions, type PageChannel } from "./live.ts";

/** True while the page is visible. */
export const isSeen = ({ document }: Window): boolean => document.visibilityState === "visible";

/** Reports network changes of the browser to a connection, until the returned function is called. */
function followNetwork(window: Window, { check, drop }: Pick<Live, "check" | "drop">): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  window.addEventListener("online", check, { signal });
  window.addEventListener("offline", drop, { signal });
  window.document.addEventListener("visibilitychange", () => isSeen(window) && check(), { signal });
  return () => listening.abort();
}

/** The parameters of the sockets of an account. `ended` is called when its token is rejected. */
interface Connecting extends Pick<LiveOptions<PageChannel>, "ended"> {
  readonly sockets: Pick<LiveOptions<PageChannel>, "url" | "token" | "language">;
}

/** Connects a channel for an account, and follows the network until it is closed. */
export function connectLive<N extends PageChannel>(
  { sockets, ended }: Connecting,
  window: Window,
  channel: Pick<LiveOptions<N>, "channel" | "query" | "receive" | "catchUp">,
): Live & Caller<N> {
  const live = createLive<N>({ ...sockets, ...channel, ended, hasNetwork: () => window.navigator.onLine });
  const unfollow = followNetwork(window, live);
  const close = (): void => {
    unfollow();
    live.close();
  };
  return { ...live, close };
}
