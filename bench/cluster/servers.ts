import { randomUUID } from "node:crypto";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { type Bus, createTelex, operator, type Telex, type TokenHolder } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createMongoStorage } from "@telex/storage-mongo";

/** The number of rounds, and of messages in each. */
export interface Size {
  readonly rounds: number;
  readonly messages: number;
}

const images = createSharpEngine();

/** The address of a new database. */
export const newDatabase = (server: string): string => `${server}/bench-${randomUUID()}`;

/** Starts one server on a database. */
export async function startServer(
  database: string,
  bus?: (storage: Awaited<ReturnType<typeof createMongoStorage>>) => Bus,
) {
  const storage = await createMongoStorage({ url: database, timeout: 60_000 });
  const own = bus === undefined ? {} : { bus: bus(storage) };
  return await createTelex({ storage, blobs: createMemoryBlobs(), images, ...own });
}

/** Adds a user to the database, as a caller of one of its servers. */
export async function addCaller(telex: Telex, nickname: string): Promise<TokenHolder & { readonly token: string }> {
  const { id } = await telex.operator.users.add(operator, { nickname });
  const { token } = await telex.operator.tokens.issue(operator, { userId: id, scopes: ["chat"] });
  const caller = await telex.authenticate(token);
  if (caller.kind !== "token") throw new Error("The token is not valid.");
  return { ...caller, token };
}

/** Adds rooms of these users, and returns their ids. */
export async function addRooms(telex: Telex, members: readonly number[], count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let number = 0; number < count; number += 1) {
    const fields = { groupType: 1 as const, name: `room ${number}`, members: [...members] };
    ids.push((await telex.operator.groups.add(operator, fields)).groupId);
  }
  return ids;
}
