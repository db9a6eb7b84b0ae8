import type { Clock } from "@telex/core";

/** Notices that a client has been silent for too long. */
export interface Keepalive {
  /** Call it for each complete packet. */
  readonly heard: () => void;
  readonly stop: () => void;
}

/**
 * @param silence milliseconds without a packet until `expired` is called
 * @param isRead false while reading is paused, so that no packet can arrive
 */
export function createKeepalive(
  clock: Clock,
  silence: number,
  { isRead, expired }: { readonly isRead: () => boolean; readonly expired: () => void },
): Keepalive {
  let last = clock.now();
  // One timer that checks the time costs less than a new timer for each packet.
  const plan = (wait: number): (() => void) =>
    clock.after(wait, () => {
      if (!isRead()) last = clock.now();
      const left = last + silence - clock.now();
      if (left <= 0) expired();
      else cancel = plan(left);
    });
  let cancel = plan(silence);
  return {
    heard: () => void (last = clock.now()),
    stop: () => cancel(),
  };
}
