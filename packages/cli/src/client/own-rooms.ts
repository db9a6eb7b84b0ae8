import type { AccountClient } from "@telex/auth-server/client";
import { print, printable, printRows } from "../terminal/output.ts";
import { callAccount } from "./account-calls.ts";
import type { Server } from "./server.ts";

type Groups = AccountClient["groups"];

/** An operation on rooms that ends with a room. */
type OnRoom = (groups: Groups) => Promise<{ readonly groupId: number; readonly groupName: string }>;

const saysRoom = (done: string) => (room: Awaited<ReturnType<OnRoom>>) =>
  print(`${done} room ${room.groupId}, ${printable(room.groupName)}.`);

const endsWithRoom = async (server: Server, json: boolean, done: string, work: OnRoom): Promise<void> =>
  await callAccount(server, json, async ({ groups }) => await work(groups), saysRoom(done));

interface NewRoom {
  readonly name: string;
  readonly topic: string;
  readonly members: readonly string[];
}

export const createRoom = async (server: Server, json: boolean, { members, ...room }: NewRoom): Promise<void> =>
  await endsWithRoom(server, json, "Created", async ({ create }) => await create({ ...room, members: [...members] }));

export const openPrivateChat = async (server: Server, json: boolean, userId: string): Promise<void> =>
  await endsWithRoom(server, json, "Opened", async ({ create }) => await create({ userId }));

/** @param isArchived false brings the room back */
export const archiveRoom = async (server: Server, json: boolean, groupId: string, isArchived: boolean): Promise<void> =>
  await endsWithRoom(server, json, isArchived ? "Archived" : "Brought back", async ({ archive, unarchive }) => {
    return await (isArchived ? archive : unarchive)({ groupId });
  });

/** @param link the address, or the secret after its `#` */
export const joinRoom = async (server: Server, json: boolean, link: string): Promise<void> =>
  await endsWithRoom(server, json, "Joined", async ({ join }) => {
    return await join({ secret: link.slice(link.indexOf("#") + 1) });
  });

export const leaveRoom = async (server: Server, json: boolean, groupId: string): Promise<void> =>
  await callAccount(server, json, async ({ groups }) => await groups.leave({ groupId }), "Left.");

/** @param life seconds; defaults to that of the server */
export const makeLink = async (
  server: Server,
  json: boolean,
  link: { readonly groupId: string; readonly uses: number; readonly life?: number },
): Promise<void> =>
  await callAccount(
    server,
    json,
    async ({ groups }) => await groups.link(link),
    ({ url, expiresAt }) => print(`${url}\nThe link works until ${new Date(expiresAt).toISOString()}.`),
  );

export const listLinks = async (server: Server, json: boolean, groupId: string): Promise<void> =>
  await callAccount(
    server,
    json,
    async ({ groups }) => await groups.links({ groupId, pageSize: 100 }),
    ({ list }) =>
      printRows(list, {
        id: ({ id }) => id,
        used: ({ used, uses }) => `${used} of ${uses}`,
        until: ({ expiresAt, revoked }) => (revoked ? "ended" : new Date(expiresAt).toISOString()),
      }),
  );

export const endLink = async (server: Server, json: boolean, groupId: string, id: string): Promise<void> =>
  await callAccount(server, json, async ({ groups }) => await groups.revokeLink({ groupId, id }), "Ended.");

export const findPeople = async (server: Server, json: boolean, query: string): Promise<void> =>
  await callAccount(
    server,
    json,
    async ({ groups }) => await groups.people({ query, pageSize: 100 }),
    ({ list }) =>
      printRows(list, {
        id: ({ userId }) => userId,
        nickname: ({ nickname }) => nickname,
        username: ({ username, model }) => (model ? "AI model" : username),
      }),
  );

export const listBlocked = async (server: Server, json: boolean): Promise<void> =>
  await callAccount(
    server,
    json,
    async ({ groups }) => await groups.blocks({}),
    ({ list }) => printRows(list, { id: ({ userId }) => userId, nickname: ({ nickname }) => nickname }),
  );

/** @param remove ends the block */
export const blockPerson = async (server: Server, json: boolean, userId: string, remove: boolean): Promise<void> =>
  await callAccount(
    server,
    json,
    async ({ groups }) => await (remove ? groups.unblock : groups.block)({ userId }),
    remove ? "Unblocked." : "Blocked.",
  );
