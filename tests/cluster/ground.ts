import { createMemoryBlobs } from "@telex/blobs/memory";
import { createTelex, operator, type Telex } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createMongoStorage } from "@telex/storage-mongo";
import { Ledger } from "../crash/model/ledger.ts";
import type { Replies } from "./replies.ts";

/** A user of the test. */
export interface Person {
  readonly id: number;
  readonly token: string;
}

/** A room of all users, and its messages. */
export interface Room {
  readonly groupId: number;
  readonly texts: Ledger;
  /** The confirmed read markers: message ids by user. */
  readonly readBy: Map<number, number>;
}

/** A device and its texts. */
export interface Printer {
  readonly deviceId: string;
  readonly texts: Ledger;
  /** The received texts by id. */
  readonly received: Map<number, string>;
  /** Successfully acknowledged texts, which must not arrive again. */
  readonly settled: Set<number>;
  /** The operation that its client waits for. */
  waitsFor: string;
}

/** The initial state of a run. */
export interface Ground {
  readonly people: readonly Person[];
  readonly rooms: readonly Room[];
  readonly printers: readonly Printer[];
  /** The MD5 of each confirmed file. */
  readonly files: string[];
  readonly replies: Replies;
  /** Tokens with a confirmed revocation. */
  readonly revoked: string[];
}

/** An instance on the database without a bus or a port, like that of an operator command. */
export const openOperator = async (database: string): Promise<Telex> =>
  createTelex({
    storage: await createMongoStorage({ url: database }),
    blobs: createMemoryBlobs(),
    images: createSharpEngine(),
  });

async function addPeople(telex: Telex): Promise<readonly Person[]> {
  const people: Person[] = [];
  for (const nickname of ["Alice", "Bob", "Carol", "Dave"]) {
    const { id } = await telex.operator.users.add(operator, { nickname });
    const { token } = await telex.operator.tokens.issue(operator, { userId: id, scopes: ["chat"] });
    await telex.operator.quota.assign(operator, { userId: id, unit: "count", max: 1_000_000, period: "monthly" });
    people.push({ id, token });
  }
  return people;
}

/** Adds users, rooms with all of them, and devices of the first user. */
export async function createGround(telex: Telex): Promise<Ground> {
  const people = await addPeople(telex);
  const members = people.map(({ id }) => id);
  const rooms: Room[] = [];
  for (const name of ["one", "two", "three"]) {
    const { groupId } = await telex.operator.groups.add(operator, { groupType: 1, name, members });
    rooms.push({ groupId, texts: new Ledger(`room ${name}`), readBy: new Map() });
  }
  const owner = await telex.authenticate(people[0]?.token ?? null);
  const printers: Printer[] = [];
  for (const deviceId of ["poll", "socket", "mqtt", "mixed"]) {
    await telex.teleprinter.register(owner, { deviceId, name: deviceId });
    printers.push({ deviceId, texts: new Ledger(deviceId), received: new Map(), settled: new Set(), waitsFor: "" });
  }
  return { people, rooms, printers, files: [], replies: { asked: new Set(), answered: [] }, revoked: [] };
}
