import assert from "node:assert/strict";
import { type Bus, type BusEvent, type BusMember, busTopicOf } from "@telex/core";
import { wake } from "./samples.ts";

/** A server that keeps what it receives. */
interface Server {
  readonly member: BusMember;
  readonly received: BusEvent[];
  /** Follows what a `wake` with this word is about. */
  readonly follow: (word: string) => Promise<void>;
  /** Resolves when something has been received, or after this many milliseconds. */
  readonly next: (wait: number) => Promise<void>;
}

/** The topic of a `wake` with this word. */
export function topicOf(word: string): string {
  const topic = busTopicOf(wake(word));
  assert.ok(topic !== null, "Events of a device have a topic.");
  return topic;
}

/** Resolves with the promise, or after `wait` milliseconds. */
async function orAfter(event: Promise<void>, wait: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, wait);
  await Promise.race([promise, event]).finally(() => clearTimeout(timer));
}

export async function join(bus: Bus): Promise<Server> {
  const received: BusEvent[] = [];
  let arrived = Promise.withResolvers<void>();
  const member = await bus.join((event) => {
    received.push(event);
    arrived.resolve();
    arrived = Promise.withResolvers();
  });
  const next = (wait: number): Promise<void> => orAfter(arrived.promise, wait);
  const follow = (word: string): Promise<void> => member.follow(topicOf(word));
  return { received, member, follow, next };
}

/** Attempts to publish an event before it counts as lost: a bus may lose some of them, but not all. */
const attempts = 100;

/** Milliseconds until an event is published again. */
const repeatAfter = 25;

/** Publishes an event until another server has received it. */
export async function publishUntil(from: Server, event: BusEvent, to: Server, isSame: (one: BusEvent) => boolean) {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    from.member.publish(event);
    if (!to.received.some(isSame)) await to.next(repeatAfter);
    if (to.received.some(isSame)) return;
  }
  assert.fail(`An event "${event.kind}" does not arrive, although it was published ${attempts} times.`);
}

export const has = ({ received }: Server, deviceId: string): boolean =>
  received.some((event) => event.kind === "device_wake" && event.deviceId === deviceId);

export const isWake =
  (word: string) =>
  (event: BusEvent): boolean =>
    event.kind === "device_wake" && event.deviceId === word;

/** Resolves when earlier events had time to arrive, because a later one has. */
export async function pass(from: Server, to: Server, word: string): Promise<void> {
  await to.follow(word);
  await publishUntil(from, wake(word), to, isWake(word));
}
