import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import {
  type CheckedMessage,
  type Gateway,
  type GatewayLeases,
  type GatewayOutcome,
  type GatewayPart,
  type NetworkRoom,
} from "@telex/core";
import { createInbox } from "./inbox.ts";

/** A gateway to test, and its network. */
export interface GatewaySubject {
  /** Not started yet. */
  readonly gateway: Gateway;
  /** An account that can go online, and the type of a chat room that it serves. */
  readonly account: string;
  readonly groupType: 0 | 3 | 4 | 5;
  /** A room of the network in which the account is. */
  readonly room: NetworkRoom;
  /** Makes another person send a text to the room. Resolves when the network has passed it to the account. */
  say(text: string): Promise<void>;
  /** Makes the network repeat the last message to the account. */
  repeat(): Promise<void>;
  /** The texts that the network has got from the account in the room, in order. */
  received(): Promise<readonly string[]>;
  /**
   * Sets how the network treats the messages that follow: `take` them; `echo` them, as the account's own, before it answers; `refuse`
   * them; take them and never answer (`silent`); or the account is signed out (`offline`).
   */
  behave(mood: "take" | "echo" | "refuse" | "silent" | "offline"): Promise<void>;
  /** Closes everything, whatever state it is in. */
  destroy(): Promise<void>;
}

/** Milliseconds for a gateway to do anything. */
const timeLimit = 2000;

/** Milliseconds between checks. */
export const pause = 10;

/** Resolves when this is true. Fails if it is not true in time. */
export async function eventually(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let waited = 0; waited < timeLimit; waited += pause) {
    if (await holds()) return;
    await delay(pause);
  }
  assert.fail(what);
}

/** The value of a promise. Fails if the promise does not settle in time. */
export async function inTime<T>(promise: Promise<T>, what: string): Promise<T> {
  const settled = promise.then(
    (value) => ({ value }),
    (cause: unknown) => ({ cause }),
  );
  const first = await Promise.race([settled, delay(timeLimit, null, { ref: false })]);
  assert.ok(first !== null, what);
  if ("cause" in first) throw first.cause;
  return first.value;
}

/** Leases of the only server, which gets every lease. */
const ownLeases: GatewayLeases = {
  open(_account, { held }) {
    let isHeld = false;
    const take = (): void => {
      if (isHeld) return;
      isHeld = true;
      held?.();
    };
    return {
      get isHeld() {
        return isHeld;
      },
      async take() {
        take();
        return true;
      },
      keep: take,
      report() {},
      async release() {
        isHeld = false;
      },
    };
  },
};

/** Starts the gateway, and waits until its account is online. */
export async function start(
  { gateway, account, groupType }: GatewaySubject,
  inbox = createInbox().inbox,
): Promise<void> {
  await inTime(gateway.start(inbox, ownLeases), "start did not resolve");
  await eventually(() => {
    const match = gateway.findAccount(account);
    return match?.isConnected === true && match.isOnline && match.groupTypes.includes(groupType);
  }, "the account did not go online");
}

/** A message of one text. */
export const text = (content: string): readonly GatewayPart[] => [{ kind: "text", text: content }];

/** A message that is being sent. */
interface Attempt {
  readonly outcome: Promise<GatewayOutcome>;
  readonly abort: () => void;
  readonly begun: () => number;
}

/** Sends through the gateway; `begin` runs when the gateway begins. */
export function send(
  { gateway, account, room }: GatewaySubject,
  parts: readonly GatewayPart[],
  begin: () => void = () => {},
): Attempt {
  const controller = new AbortController();
  let begun = 0;
  const counted = async (): Promise<void> => {
    begun += 1;
    await delay(pause);
    begin();
  };
  const outcome = (async () => gateway.send({ account, room, parts, begin: counted, signal: controller.signal }))();
  outcome.catch(() => undefined);
  return { outcome, abort: () => controller.abort(), begun: () => begun };
}

/** Sends a text that must be delivered. Returns the ids of the network. */
export async function deliver(subject: GatewaySubject, content: string): Promise<readonly string[]> {
  const sent = await inTime(send(subject, text(content)).outcome, "send did not resolve");
  assert.ok(sent.outcome === "delivered", `the outcome is ${sent.outcome}`);
  return [...(sent.messageId === null ? [] : [sent.messageId]), ...(sent.otherIds ?? [])];
}

/** The texts of a message. */
export const wordsOf = ({ segments }: CheckedMessage): string =>
  segments.map((segment) => (segment.type === "text" ? segment.data.text : "")).join("");
