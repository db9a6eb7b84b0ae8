import { networkTypes, routeOf } from "@telex/ground/contract";
import type { GroupKey } from "../../groups/store.ts";
import { type ListsGroups, pagesOfGroups } from "../all-groups.ts";
import { type GatewayFaults, returnOf } from "../faults.ts";
import type { Gateway } from "../../networks/gateway.ts";
import type { BotStore } from "../store.ts";
import type { GroupRecord } from "../../records/groups.ts";

interface OfficialDeps {
  readonly gateways: readonly Gateway[];
  readonly store: Pick<BotStore, "listBots">;
  readonly faults: GatewayFaults;
}

/** The accounts through which rooms of types 0 and 3 go: those that are stored, and those of the gateways. */
async function listOfficial({ gateways, store, faults }: OfficialDeps): Promise<ReadonlySet<string>> {
  const shown = gateways.flatMap((gateway) =>
    returnOf(faults, gateway.name, "listAccounts", () => gateway.listAccounts(), []),
  );
  const official = shown.filter(({ groupTypes }) => groupTypes.some((type) => routeOf(type) === "official"));
  // Another process may have changed them a moment ago.
  const stored = (await store.listBots()).filter((bot) => bot.official);
  return new Set([...official, ...stored].map(({ account }) => account));
}

/** Finds the other keys that mean the same group or person of a network, and the same account, as a given one. */
export type FindOtherKeys = (key: GroupKey) => Promise<readonly GroupKey[]>;

/** A room of type 0 and one of type 4 mean the same if the bot of the latter is the official account. */
export const createOtherKeys =
  (deps: OfficialDeps): FindOtherKeys =>
  async ({ ext, groupType, bot }) => {
    const types = Object.values(networkTypes).find((one) => one.official === groupType || one.private === groupType);
    if (types === undefined) return [];
    const official = await listOfficial(deps);
    const ofOfficial = { ext, groupType: types.official, bot: null };
    if (groupType === types.private) return bot !== null && official.has(bot) ? [ofOfficial] : [];
    // Types 0 and 3 take no notice of `bot`.
    return [ofOfficial, ...Array.from(official, (account) => ({ ext, groupType: types.private, bot: account }))];
  };

/** Two rooms that mean the same group or person of a network, through the same account. The first one gets the messages. */
export interface RoomPair {
  readonly first: GroupRecord;
  readonly second: GroupRecord;
}

/** The group or person that a room represents, as a key; null without one. All official accounts count as one. */
function keyOf({ groupType, ext, bot }: GroupRecord, official: ReadonlySet<string>): string | null {
  const route = routeOf(groupType);
  if (ext === null || route === "store" || (route === "private" && bot === null)) return null;
  const isGroup = groupType === networkTypes.group.official || groupType === networkTypes.group.private;
  const account = route === "private" && bot !== null && !official.has(bot) ? bot : null;
  return JSON.stringify([isGroup, ext, account]);
}

/**
 * Finds rooms that mean the same group or person of a network, through the same account, as a room with a lower id. An installation
 * has such rooms from earlier versions, or because its gateways have another official account than before.
 * @param official the names of the official accounts
 */
export async function listRoomPairs(groups: ListsGroups, official: ReadonlySet<string>): Promise<readonly RoomPair[]> {
  const firsts = new Map<string, GroupRecord>();
  const pairs: RoomPair[] = [];
  for await (const page of pagesOfGroups(groups)) {
    for (const second of page) {
      const key = keyOf(second, official);
      const first = key === null ? undefined : firsts.get(key);
      if (first !== undefined) pairs.push({ first, second });
      else if (key !== null) firsts.set(key, second);
    }
  }
  return pairs;
}
