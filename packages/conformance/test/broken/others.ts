import type { GroupRecord, MemberRecord, UserRecord } from "@telex/core/storage";
import { type BrokenStorage, meanwhile, override } from "./spoil.ts";

/** Wrong stores of people, rooms, pairings and changes. */
export const brokenOthers: readonly BrokenStorage[] = [
  {
    fault: "an ID of the external network is looked for first and bound later",
    found: ["users: of 20 users with one ID of the external network exactly one is added"],
    spoil: override("users", (store) => {
      const bound = new Map<string, UserRecord>();
      return {
        async appendUser(user) {
          if (user.ext !== null && bound.has(user.ext)) return { outcome: "ext_taken" };
          await meanwhile();
          const appended = await store.appendUser({ ...user, ext: null });
          if (user.ext !== null && appended.outcome === "appended") bound.set(user.ext, appended.user);
          return appended;
        },
      };
    }),
  },
  {
    fault: "a change reads the user first and writes all fields later",
    found: ["users: simultaneous changes of different fields are all kept"],
    spoil: override("users", (store) => ({
      async amendUser(userId, change) {
        const user = await store.findUser(userId);
        if (user === null) return { outcome: "missing" };
        await meanwhile();
        const { nickname, ext, phone, avatar, ai, oneBot } = { ...user, ...change };
        return store.amendUser(userId, { nickname, ext, phone, avatar, ai, oneBot });
      },
    })),
  },
  {
    fault: "of many users the first ones are found",
    found: ["users: a lookup of many users finds those that exist, as single lookups do"],
    spoil: override("users", (store) => ({ findUsers: (userIds) => store.findUsers(userIds.slice(0, 5)) })),
  },
  {
    fault: "who was a model stays one",
    found: ["users: the models among the users are listed by id, in their current state"],
    spoil: override("users", (store) => {
      let known: readonly UserRecord[] | null = null;
      return { listModels: async () => (known ??= await store.listModels()) };
    }),
  },
  {
    fault: "a user whom a framework has reached stays reachable",
    found: ["users: users whom frameworks reach are listed by id, in their current state"],
    spoil: override("users", (store) => {
      let known: readonly UserRecord[] | null = null;
      return { listOneBots: async () => (known ??= await store.listOneBots()) };
    }),
  },
  {
    fault: "a list begins with the id after which it should",
    found: ["users: a list goes by id"],
    spoil: override("users", (store) => ({
      listUsers: ({ after, limit }) => store.listUsers({ after: after - 1, limit }),
    })),
  },
  {
    fault: "a user who is removed still holds the ID of the external network",
    found: ["users: a removed user is gone, frees the ID of the external network, and is no model"],
    spoil: override("users", (store) => {
      const gone = new Set<number>();
      return {
        async dropUser(userId) {
          const dropped = !gone.has(userId) && (await store.findUser(userId)) !== null;
          if (dropped) gone.add(userId);
          return dropped;
        },
        findUser: async (userId) => (gone.has(userId) ? null : store.findUser(userId)),
      };
    }),
  },
  {
    fault: "a change of a user who was removed brings the user back",
    found: [
      "users: a removed user is gone, frees the ID of the external network, and is no model",
      "users: of 10 simultaneous removals of a user exactly one removes, and no change brings the user back",
    ],
    spoil: override("users", (store) => {
      const known = new Map<number, UserRecord>();
      const back = new Map<number, UserRecord>();
      return {
        async appendUser(given) {
          const appended = await store.appendUser(given);
          if (appended.outcome === "appended") known.set(appended.user.userId, appended.user);
          return appended;
        },
        async amendUser(userId, change) {
          const amended = await store.amendUser(userId, change);
          const user = known.get(userId);
          if (amended.outcome !== "missing" || user === undefined) return amended;
          back.set(userId, { ...user, ...change });
          return { outcome: "amended", user: { ...user, ...change } };
        },
        findUser: async (userId) => back.get(userId) ?? store.findUser(userId),
      };
    }),
  },
  {
    fault: "a room that is removed keeps its members",
    found: [
      "groups: a room that is removed has no members, and gets none",
      "groups: no member comes back into a room that is removed meanwhile",
    ],
    spoil: override("groups", (store) => {
      const left = new Map<number, readonly MemberRecord[]>();
      return {
        async dropGroup(groupId) {
          const members = await store.listMembers(groupId);
          const dropped = await store.dropGroup(groupId);
          if (dropped) left.set(groupId, members);
          return dropped;
        },
        listMembers: async (groupId) => left.get(groupId) ?? store.listMembers(groupId),
      };
    }),
  },
  {
    fault: "renaming a device is a sign of life",
    found: ["teleprinter: a renamed device has another name, and nothing else is different"],
    spoil: override("teleprinter", (store) => ({
      async amendDevice({ deviceId, owner, change: { name = "" } }) {
        const claimed = await store.claimDevice({ deviceId, owner, name, now: Number.MAX_SAFE_INTEGER });
        return "device" in claimed ? { outcome: "amended", device: claimed.device } : { outcome: "not_owner" };
      },
    })),
  },
  {
    fault: "adding a member again takes the card away",
    found: ["groups: a member who is added again keeps the card"],
    spoil: override("groups", (store) => ({
      async amendMembers(groupId, change) {
        const amended = await store.amendMembers(groupId, change);
        for (const userId of change.add) await store.amendCard(groupId, userId, null);
        return amended;
      },
    })),
  },
  {
    fault: "a bot is not looked at when a room is found",
    found: ["groups: a room of the external network is found by its ID, its type and its bot"],
    spoil: override("groups", (store) => ({
      async findGroupByExt({ ext, groupType }) {
        const groups = await store.listGroups({ after: 0, limit: 100 });
        return groups.find((group) => group.ext === ext && group.groupType === groupType) ?? null;
      },
    })),
  },
  {
    fault: "the room of a group of the network is looked for, then added",
    found: ["groups: a group of the external network gets one room from 20 that add one simultaneously"],
    spoil: override("groups", (store) => ({
      async appendGroupOnce(group, members) {
        const found = await store.findGroupByExt(group);
        await meanwhile();
        if (found !== null) return { outcome: "known", group: found };
        return { outcome: "appended", group: await store.appendGroup(group, members) };
      },
    })),
  },
  {
    fault: "a room of another type for the same group and account of the network is not looked at",
    found: [
      "groups: of 20 that add rooms of two types for one group and account of the external network, one does",
      "groups: a room of another type that means the same group of the external network keeps its place",
    ],
    spoil: override("groups", (store) => ({
      appendGroupOnce: (group, members) => store.appendGroupOnce(group, members, []),
    })),
  },
  {
    fault: "a room of another type for the same group and account of the network is looked for, then one is added",
    found: ["groups: of 20 that add rooms of two types for one group and account of the external network, one does"],
    spoil: override("groups", (store) => ({
      async appendGroupOnce(group, members, others) {
        for (const key of others) {
          const found = await store.findGroupByExt(key);
          if (found !== null) return { outcome: "known", group: found };
        }
        await meanwhile();
        return store.appendGroupOnce(group, members, []);
      },
    })),
  },
  {
    fault: "a group of the network gets another room",
    found: ["groups: a group of the external network that has rooms keeps the first one"],
    spoil: override("groups", (store) => {
      const added = new Map<string, Promise<GroupRecord>>();
      return {
        async appendGroupOnce(group, members) {
          const key = JSON.stringify([group.ext, group.groupType, group.bot]);
          const known = added.get(key);
          const room = known ?? store.appendGroup(group, members);
          added.set(key, room);
          return { outcome: known === undefined ? "appended" : "known", group: await room };
        },
      };
    }),
  },
  {
    fault: "of two rooms for one group of the network the newest stands for it",
    found: ["groups: the oldest room of a group of the external network stands for it"],
    spoil: override("groups", (store) => ({
      async findGroupByExt({ ext, groupType, bot }) {
        const groups = await store.listGroups({ after: 0, limit: 100 });
        const fits = (group: GroupRecord): boolean =>
          group.ext === ext && group.groupType === groupType && group.bot === bot;
        return groups.findLast(fits) ?? null;
      },
    })),
  },
  {
    fault: "looking at a confirmed pairing takes it",
    found: ["pairings: a confirmed pairing can be looked at until it is consumed, also after a restart"],
    spoil: override("pairings", (store) => ({ findPairing: (key) => store.consumePairing(key) })),
  },
  {
    fault: "a confirmed pairing is looked at first and taken later",
    found: ["pairings: of 20 callers for one confirmed pairing exactly one gets it"],
    spoil: override("pairings", (store) => {
      let running: ReturnType<typeof store.consumePairing> | null = null;
      return {
        consumePairing(key) {
          running ??= meanwhile().then(() => store.consumePairing(key));
          return running;
        },
      };
    }),
  },
  {
    fault: "the change feed forgets all but the latest change",
    found: [
      "changes: changes come in order, with rising numbers, the latest last",
      "changes: a reader that follows the feed misses nothing that is changed simultaneously",
    ],
    spoil: override("changes", (store) => ({
      since: async (seq) => (await store.since(seq))?.slice(-1) ?? null,
    })),
  },
  {
    fault: "the change feed forgets in silence",
    found: ["changes: a reader that asks for removed changes learns that they are missing"],
    spoil: override("changes", (store) => ({
      since: async (seq) => (await store.since(seq)) ?? (await store.since((await store.latest()) - 1)),
    })),
  },
  {
    fault: "the change feed does not tell of released devices",
    found: ["changes: who holds an ID is a change, and so is its generation"],
    spoil: override("changes", (store) => ({
      since: async (seq) => (await store.since(seq))?.filter(({ kind }) => kind !== "device") ?? null,
    })),
  },
  {
    fault: "a change is in the feed before it is in force",
    found: ["changes: changes in the feed are in force"],
    spoil: override("users", (store) => ({
      async amendUser(userId, change) {
        await store.amendUser(userId, {});
        for (let turn = 0; turn < 20; turn += 1) await meanwhile();
        return store.amendUser(userId, change);
      },
    })),
  },
  {
    fault: "closing lets calls through",
    found: ["storage: every call rejects after closing"],
    spoil: (storage) => ({ ...storage, close: () => Promise.resolve() }),
  },
];
