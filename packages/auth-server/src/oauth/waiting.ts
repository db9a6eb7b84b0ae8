import type { Clock } from "@telex/core";
import type { Current } from "../sessions/sessions.ts";
import { networkOf } from "../throttle/network.ts";
import { countIn, createAttemptWindow } from "../throttle/window.ts";

/** Milliseconds. Nothing waits longer for a person. */
const time = 1_800_000;

/** The origin of a request that waits for a person. */
interface Waiting {
  /** The session of the browser; null for a stranger, or a program that shows a code. */
  readonly current: Current | null;
  /** The address of the client; null if it is unknown. */
  readonly address: string | null;
}

/**
 * Counts what is stored for strangers: questions of applications, and codes that programs show. A person or a network of strangers may have
 * 300 of them in half an hour, and all strangers together 10,000. This cannot be switched off.
 * @returns counts one. Throws TelexError `rate_limited`.
 */
export function createWaiting(clock: Clock): (waiting: Waiting) => void {
  const ofCaller = createAttemptWindow({ clock, ratePeers: null }, { most: 300, time });
  const ofStrangers = createAttemptWindow({ clock, ratePeers: null }, { most: 10_000, time });
  return ({ current, address }) => {
    if (current === null) countIn([ofCaller, networkOf(address)], [ofStrangers, ""]);
    else countIn([ofCaller, `user ${current.account.userId}`]);
  };
}
