import type { Live } from "./live.ts";

/** True while somebody can see the page. */
export const isSeen = ({ document }: Window): boolean => document.visibilityState === "visible";

/** Tells a connection what the browser knows of the network, until the returned function is called. */
export function followNetwork(window: Window, { check, drop }: Pick<Live, "check" | "drop">): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  window.addEventListener("online", check, { signal });
  window.addEventListener("offline", drop, { signal });
  window.document.addEventListener("visibilitychange", () => isSeen(window) && check(), { signal });
  return () => listening.abort();
}
