import { setTimeout as delay } from "node:timers/promises";
import type { Random } from "@telex/conformance/testing";
import type { Deliveries } from "./model/deliveries.ts";
import type { Ledger } from "./model/ledger.ts";
import type { Possible } from "./model/possible.ts";
import type { Api, Outcome } from "./support/api.ts";
import type { Life } from "./support/life.ts";

/** A user of the test. */
export interface User {
  readonly id: number;
  readonly token: string;
}

/** A device with a queue, and the way in which it receives texts. */
export interface Printer {
  readonly deviceId: string;
  readonly mode: "poll" | "ack" | "socket" | "ackSocket" | "mqtt" | "mixed";
  /** Texts to the device and from it, which share their ids. */
  readonly texts: Ledger;
  readonly deliveries: Deliveries;
}

/** A chat room of both users. */
export interface Room {
  readonly groupId: number;
  readonly groupType: 1 | 2;
  readonly texts: Ledger;
  /** The messages that a reader with `since` received, without repeats. */
  readonly read: Map<number, string>;
  /** The id after which the reader began. */
  readonly from: number;
}

/** A call with an unknown outcome, to be repeated with its nonce. */
export interface Unanswered<To> {
  readonly word: string;
  readonly nonce: string;
  readonly to: To;
}

/** An upload code, and the bytes of its last upload. */
export interface Code {
  readonly code: string;
  readonly spent: Possible<boolean>;
  sent: SentFile | null;
}

/** A file that was sent. */
export interface SentFile {
  /** The user who may use it in a message. */
  readonly owner: "alice" | "bob" | null;
  readonly md5: string;
  readonly isImage: boolean;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly stored: Possible<boolean>;
}

/** A reply of a model. */
export interface Reply {
  readonly question: string;
  readonly answer: string;
  readonly conversationId: number;
}

/** The actions of all drivers, and the expected state. */
export interface World {
  readonly folder: string;
  readonly alice: User;
  readonly bob: User;
  readonly printers: readonly Printer[];
  readonly rooms: readonly Room[];
  /** The devices of the registry: `absent`, or `<owner>:<name>`. */
  readonly registry: ReadonlyMap<string, Possible<string>>;
  readonly unanswered: {
    sends: Unanswered<Printer>[];
    syncs: Unanswered<Printer>[];
    frames: Unanswered<Room>[];
    /** Over MQTT; the nonce is the packet identifier. */
    publishes: Unanswered<Printer>[];
  };
  readonly codes: Code[];
  readonly files: Map<string, SentFile>;
  readonly replies: { readonly answered: Reply[]; asked: number; tokens: number; readonly questions: Set<string> };
  readonly tokens: Map<string, Possible<boolean>>;
  readonly newUsers: Map<string, Possible<boolean>>;
  readonly allocation: Possible<number>;
  /** The found problems. A correct run leaves it empty. */
  readonly problems: string[];
  /** The number of successful, unanswered and rejected operations of each kind. */
  readonly counts: Map<string, { done: number; unknown: number; refused: number }>;
  /** The number of texts so far. */
  words: number;
}

/** Works until the server is gone. */
export type Driver = (world: World, life: Life, random: Random) => Promise<void>;

/** Compares a server at rest with the expected state. `full` checks everything, otherwise only new records. */
export type Check = (world: World, life: Life, full: boolean) => Promise<void>;

/** A unique text. */
export function makeWord(world: World, kind: string): string {
  world.words += 1;
  return `${kind}-${world.words}`;
}

/** Counts an outcome. A running server must respond. */
export function count(world: World, life: Life, kind: string, outcome: Outcome<unknown>): void {
  const counts = world.counts.get(kind) ?? { done: 0, unknown: 0, refused: 0 };
  world.counts.set(kind, counts);
  counts[outcome.kind] += 1;
  if (outcome.kind === "unknown" && !life.dying) world.problems.push(`${kind}: no answer from a server that lives`);
}

/** Reports a rejection without a reason. */
export function complain(world: World, kind: string, outcome: Outcome<unknown>): void {
  if (outcome.kind === "refused") world.problems.push(`${kind}: refused with ${outcome.status} ${outcome.error}`);
}

/** Repeats `step` while the server lives, with short pauses. */
export async function whileAlive(
  life: Life,
  random: Random,
  step: (api: { alice: Api; bob: Api }) => Promise<void>,
  longestPause = 12,
): Promise<void> {
  while (!life.dying) {
    await step(life.apis);
    await delay(random.next() * longestPause);
  }
}

/** Picks one of several. */
export function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[Math.floor(random.next() * items.length)];
  if (item === undefined) throw new RangeError("There is nothing to choose from.");
  return item;
}
