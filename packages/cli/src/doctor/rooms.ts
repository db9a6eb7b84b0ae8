import { listRoomPairs, type RoomPair, type Storage } from "@telex/core/storage";
import type { Config } from "../settings/load.ts";
import { type Finding, ok, warn } from "./finding.ts";
import { hasStorage, withStorage } from "./stored.ts";

/** Maximum rooms to name. */
const maxNamed = 20;

function judge(pairs: readonly RoomPair[]): Finding {
  if (pairs.length === 0) return ok("each group and person of a network has one room");
  const named = pairs.slice(0, maxNamed).map(({ first, second }) => `${second.groupId} (${first.groupId} gets them)`);
  const more = pairs.length > maxNamed ? `, and ${pairs.length - maxNamed} more` : "";
  return warn(
    `rooms that get no messages of their network: ${named.join(", ")}${more}`,
    "A group or person of a network has one room for each account. Remove the others: telex group remove.",
  );
}

async function look({ bots, groups }: Storage): Promise<Finding> {
  const official = (await bots.listBots()).filter((bot) => bot.official);
  return judge(await listRoomPairs(groups, new Set(official.map(({ account }) => account))));
}

/** Lists rooms that get no messages of their network, because another room represents the same group. */
export async function checkRooms(config: Config): Promise<Finding> {
  return hasStorage(config) ? withStorage(config, look) : ok("there are no rooms");
}
