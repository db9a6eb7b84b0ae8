import { randomUUID } from "node:crypto";
import type { Clock } from "@telex/ground/time";

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0");

/** Ids of the outbox that increase with every call, also if the clock goes back. Those of several servers increase as far as their clocks agree. */
export function createSendIds(clock: Pick<Clock, "now">): () => string {
  let time = 0;
  let count = 0;
  return () => {
    const now = Math.max(time, clock.now());
    count = now === time ? count + 1 : 0;
    time = now;
    return `${hex(time, 12)}${hex(count, 6)}-${randomUUID()}`;
  };
}
