import { TelexError } from "@telex/core";
import type { UserRecord } from "@telex/core/storage";
import type { GroupsContract } from "../contract/groups.ts";
import type { Runs } from "../contract/routes-of.ts";
import { block, listBlocked, unblock } from "../accounts/blocks.ts";
import { modelsIn } from "../messages/missed.ts";
import { createPeople } from "../groups/people.ts";
import type { Hooks } from "../hooks/hooks.ts";
import type { AuthDeps } from "../options.ts";

const viewUser = ({ userId, nickname }: UserRecord) => ({ userId: String(userId), nickname });

const viewFace = (user: UserRecord) => ({
  ...viewUser(user),
  avatar: `/api/avatar/get/personal?id=${user.userId}`,
});

type PeopleRuns = Pick<Runs<GroupsContract>, "people" | "blocks" | "block" | "unblock" | "devices">;

/** The models, devices and hooks of a room, and its bot. Devices of people who are no longer members print nothing. */
const createDevicesRun =
  (deps: AuthDeps, hooks: Hooks): PeopleRuns["devices"] =>
  async ({ userId }, { groupId }) => {
    const { storage, telex } = deps;
    const room = await storage.groups.findRoom(groupId);
    if (room?.members.has(userId) !== true) throw new TelexError("group_not_found");
    const printers = (await storage.teleprinter.listPrinters(groupId)).filter(({ owner }) => room.members.has(owner));
    const owners = await Promise.all(printers.map(({ owner }) => storage.users.findUser(owner)));
    const devices = printers.map(({ name }, at) => {
      const owner = owners[at] ?? null;
      return { kind: "device" as const, name, owner: owner === null ? null : viewUser(owner) };
    });
    const { bot } = room.group;
    const ofHooks = (await hooks.hooksIn(groupId)).map(({ name }) => ({ kind: "hook" as const, name, owner: null }));
    const { roomTokens: tokens } = telex.limits;
    const models = (await modelsIn(deps, room)).map(({ nickname }) => {
      return { kind: "model" as const, name: nickname, owner: null, tokens };
    });
    return {
      list: [
        ...models,
        ...devices,
        ...ofHooks,
        ...(bot === null ? [] : [{ kind: "bot" as const, name: bot, owner: null }]),
      ],
    };
  };

/** The operations on people. */
export function createPeopleRuns(deps: AuthDeps, hooks: Hooks): PeopleRuns {
  const people = createPeople(deps);
  return {
    async people({ userId }, { query, pageSize, cursor = 0 }) {
      const { people: matches, next } = await people.find(userId, { query, after: cursor, limit: pageSize });
      const list = matches.map(({ user, account }) => ({
        ...viewFace(user),
        username: account?.username ?? null,
        model: user.ai !== null,
      }));
      return { list, nextCursor: next === null ? null : String(next) };
    },
    blocks: async ({ userId }) => ({ list: (await listBlocked(deps, userId)).map(viewFace) }),
    async block({ userId }, { userId: other }) {
      await block(deps, userId, other);
      return null;
    },
    async unblock({ userId }, { userId: other }) {
      await unblock(deps, userId, other);
      return null;
    },
    devices: createDevicesRun(deps, hooks),
  };
}
