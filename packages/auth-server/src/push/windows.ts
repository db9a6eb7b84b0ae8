import type { Telex } from "@telex/core";

/** Milliseconds in which a person gets one notification of a room or device. */
const life = 10_000;

/** Milliseconds after which a server that found the window taken by another one tries again. */
const retry = 1000;

/** Attempts after which texts are dropped: for a minute, other servers had the window or the storage was away. */
const attempts = 60;

/** Texts that are counted in a window. */
const mostIds = 100;

/** Windows that are open on this server. */
const mostWindows = 50_000;

interface Window {
  /** The texts that were not sent yet, the oldest first. */
  ids: number[];
  failures: number;
  cancel: () => void;
}

/** Takes the texts of one notification, the oldest first. */
type Send = (ids: readonly number[]) => void;

/** Windows in which texts are collected. */
export interface Windows {
  /**
   * Sends a text immediately if the window of this name is not open on any server, and otherwise with others when it ends.
   * @param name at most 100 characters
   */
  readonly note: (name: string, id: number, send: Send) => void;
  /** Drops the collected messages. */
  readonly end: () => void;
}

type WindowsDeps = Pick<Telex, "clock" | "leases" | "log">;

/** Opens windows by claims, of which one server of the installation gets each. */
export function createWindows({ clock, leases, log }: WindowsDeps): Windows {
  const windows = new Map<string, Window>();
  let hasEnded = false;
  const claim = async (name: string): Promise<boolean> =>
    await leases.claim(`push/${name}`, life).catch((cause: unknown) => {
      if (!hasEnded) log.error("push.claim_failed", {}, cause);
      return false;
    });
  const attempt = async (name: string, window: Window, send: Send): Promise<void> => {
    const isOurs = await claim(name);
    if (hasEnded) return;
    window.failures = isOurs ? 0 : window.failures + 1;
    if (isOurs) send(window.ids.splice(0));
    window.cancel = clock.after(isOurs ? life : retry, () => {
      if (window.ids.length > 0 && window.failures < attempts) void attempt(name, window, send);
      else windows.delete(name);
    });
  };
  return {
    note(name, id, send) {
      if (hasEnded) return;
      const open = windows.get(name);
      if (open !== undefined) {
        if (open.ids.length < mostIds) open.ids.push(id);
        return;
      }
      if (windows.size >= mostWindows) return log.warn("push.too_many_windows");
      const window: Window = { ids: [id], failures: 0, cancel: () => {} };
      windows.set(name, window);
      void attempt(name, window, send);
    },
    end() {
      hasEnded = true;
      for (const { cancel } of windows.values()) cancel();
      windows.clear();
    },
  };
}
