import { createLru } from "@telex/ground/caches";
import { z } from "zod";
import { shortText } from "@telex/ground/contract";
import type { Clock } from "@telex/ground/time";
import type { GroupRecord } from "../../records/groups.ts";
import { inTime } from "../faults.ts";
import type { NetworkMember } from "../../networks/gateway.ts";
import { findRoute, type RouteDeps } from "./routes.ts";
import type { Reaching } from "./reach.ts";

/** Milliseconds for which the members of a room are remembered, and after a failure none. */
const keptFor = { answered: 300_000, failed: 15_000 } as const;
/** Maximum milliseconds for which a reader of a member list waits for the network. */
const answerTime = 3000;
/** Members of a room, and rooms, that are remembered. */
const most = { members: 5000, rooms: 100 } as const;

const member = z.object({
  ext: shortText(64, 1),
  nickname: z.string().transform((name) => name.slice(0, 128)),
  card: z
    .string()
    .nullable()
    .transform((card) => card?.slice(0, 128) || null),
});

const members = z.array(z.unknown()).transform((all) =>
  all
    .slice(0, most.members)
    .flatMap((one) => member.safeParse(one).data ?? [])
    .toSorted((a, b) => (a.ext < b.ext ? -1 : 1)),
);

interface NetworkMembersDeps extends RouteDeps {
  readonly clock: Clock;
  readonly reaching: Pick<Reaching, "gatewayOf">;
}

interface Known {
  readonly list: readonly NetworkMember[];
  /** Unix milliseconds. */
  readonly until: number;
}

/**
 * The members of the network in the room for which a chat room stands, by their IDs, as far as they are known: at most 5 minutes old
 * while the account is online, and at most 5,000.
 */
export type ListNetworkMembers = (group: GroupRecord) => Promise<readonly NetworkMember[]>;

export interface NetworkMembers {
  readonly list: ListNetworkMembers;
  /** The cached name of a person in a room, otherwise `""`. */
  readonly nameOf: (groupId: number, ext: string) => string;
}

/** Finds members of networks. Simultaneous callers share one question for each room. */
export function createNetworkMembers(deps: NetworkMembersDeps): NetworkMembers {
  const { clock, faults, reaching } = deps;
  const lists = createLru<number, Known>(most.rooms);
  const asking = new Map<number, Promise<readonly NetworkMember[]>>();

  const keep = (groupId: number, list: readonly NetworkMember[], time: number): readonly NetworkMember[] => {
    lists.set(groupId, { list, until: clock.now() + time });
    return list;
  };

  const ask = async (group: GroupRecord): Promise<readonly NetworkMember[]> => {
    const route = findRoute(deps, group);
    const before = lists.get(group.groupId)?.list ?? [];
    const gateway = route?.room.kind === "group" ? await reaching.gatewayOf(route) : null;
    if (route === null || gateway === null) return before;
    const { account, room } = route;
    try {
      const answer = gateway.listMembers?.({ account: account.account, room }) ?? Promise.resolve([]);
      return keep(group.groupId, members.parse(await inTime(clock, answerTime, answer)), keptFor.answered);
    } catch (cause) {
      faults.failed(gateway.name, "listMembers", cause);
      return keep(group.groupId, before, keptFor.failed);
    }
  };
  const list: ListNetworkMembers = async (group) => {
    const { groupId } = group;
    const remembered = lists.get(groupId);
    if (remembered !== undefined && remembered.until > clock.now()) return remembered.list;
    const answer = asking.get(groupId) ?? ask(group).finally(() => asking.delete(groupId));
    asking.set(groupId, answer);
    return answer;
  };
  return {
    list,
    nameOf(groupId, ext) {
      const match = lists.get(groupId)?.list.find((one) => one.ext === ext);
      return match?.card ?? match?.nickname ?? "";
    },
  };
}
