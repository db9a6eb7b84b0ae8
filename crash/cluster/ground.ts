import { createMemoryBlobs } from "@telex/blobs/memory";
import { createTelex, operator } from "@telex/core";
import { createSharpEngine } from "@telex/core/sharp";
import { createMongoStorage } from "@telex/storage-mongo";
import { Ledger } from "../model/ledger.ts";

/** A user of the test. */
export interface Person {
  readonly id: number;
  readonly token: string;
}

/** A room of all users, and what was said in it. */
export interface Room {
  readonly groupId: number;
  readonly texts: Ledger;
}

/** A device, and what it was sent. */
export interface Printer {
  readonly deviceId: string;
  readonly texts: Ledger;
  /** What it has, by id. */
  readonly received: Map<number, string>;
  /** What it has acknowledged, with success: it does not come again. */
  readonly settled: Set<number>;
}

/** What is there before the servers start. */
export interface Ground {
  readonly people: readonly Person[];
  readonly rooms: readonly Room[];
  readonly printers: readonly Printer[];
}

/** Adds users, rooms of all of them, and devices of the first one. */
export async function createGround(database: string): Promise<Ground> {
  const storage = await createMongoStorage({ url: database });
  const telex = await createTelex({ storage, blobs: createMemoryBlobs(), images: createSharpEngine() });
  const people: Person[] = [];
  for (const nickname of ["Alice", "Bob", "Carol"]) {
    const { id } = await telex.operator.users.add(operator, { nickname });
    const { token } = await telex.operator.tokens.issue(operator, { userId: id, scopes: ["chat"] });
    people.push({ id, token });
  }
  const members = people.map(({ id }) => id);
  const rooms: Room[] = [];
  for (const name of ["one", "two", "three"]) {
    const { groupId } = await telex.operator.groups.add(operator, { groupType: 1, name, members });
    rooms.push({ groupId, texts: new Ledger(`room ${name}`) });
  }
  const owner = await telex.authenticate(people[0]?.token ?? null);
  const printers: Printer[] = [];
  for (const deviceId of ["poll", "socket"]) {
    await telex.teleprinter.register(owner, { deviceId, name: deviceId });
    printers.push({ deviceId, texts: new Ledger(deviceId), received: new Map(), settled: new Set() });
  }
  await telex.close();
  return { people, rooms, printers };
}
