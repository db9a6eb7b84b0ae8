import { createLru } from "@telex/ground/caches";
import { z } from "zod";
import { createSingleFlight, createSlots } from "@telex/ground/concurrency";
import type { Clock } from "@telex/ground/time";
import type { GroupRecord } from "../../records/groups.ts";
import { inTime } from "../faults.ts";
import { findRoute, type RouteDeps } from "./routes.ts";
import type { NetworkMembers } from "./members.ts";
import type { Reaching } from "./reach.ts";

/** Milliseconds that a message waits for the names of the people that it mentions. */
const answerTime = 3000;
/** Milliseconds after a network had no name for a person until Telex asks it again. */
const silentFor = 60_000;
/** The maximum of cached names, and of simultaneous questions of one account. A person beyond it has no name. */
const most = { names: 10_000, questions: 16 } as const;

const nameField = z
  .object({ nickname: z.string(), card: z.string().nullable() })
  .nullable()
  .transform((member) => (member === null ? "" : (member.card || member.nickname).slice(0, 128)));

interface NetworkNamesDeps extends RouteDeps {
  readonly clock: Clock;
  readonly reaching: Pick<Reaching, "gatewayOf">;
  readonly members: Pick<NetworkMembers, "nameOf">;
}

export interface NetworkNames {
  note(groupId: number, ext: string, name: string): void;
  /** The name under which a person has spoken here, or is listed; `""` if neither is known. Does not ask the network. */
  known(groupId: number, ext: string): string;
  /**
   * The name of a person in a room: the last noted one, otherwise the one that the network returns within 3 s, otherwise the id. `""` in a
   * room that stands for no group of a network.
   */
  find(group: GroupRecord, ext: string): Promise<string>;
}

const keyOf = (groupId: number, ext: string): string => JSON.stringify([groupId, ext]);

export function createNetworkNames(deps: NetworkNamesDeps): NetworkNames {
  const { clock, faults, reaching, members } = deps;
  const names = createLru<string, string>(most.names);
  /** The times until which no question for a name is sent (Unix milliseconds). */
  const silent = createLru<string, number>(most.names);
  const asking = createSingleFlight<string>();
  const questions = createSlots(most.questions);

  const known: NetworkNames["known"] = (groupId, ext) => names.get(keyOf(groupId, ext)) ?? members.nameOf(groupId, ext);
  const note: NetworkNames["note"] = (groupId, ext, name) => {
    if (name !== "") names.set(keyOf(groupId, ext), name);
  };
  const ask = async (group: GroupRecord, ext: string): Promise<string> => {
    const route = findRoute(deps, group);
    const gateway = route?.room.kind === "group" ? await reaching.gatewayOf(route) : null;
    if (route === null || gateway === null) return "";
    const place = { account: route.account.account, room: route.room, ext };
    try {
      return nameField.parse((await gateway.findMember?.(place)) ?? null);
    } catch (cause) {
      faults.failed(gateway.name, "findMember", cause);
      return "";
    }
  };
  /** Asks, unless too many questions to the account are already open. */
  const askWithin = async (group: GroupRecord, ext: string): Promise<string> => {
    const key = keyOf(group.groupId, ext);
    if ((silent.get(key) ?? 0) > clock.now()) return "";
    const leave = questions.take(group.bot ?? "");
    if (leave === null) return "";
    const name = await inTime(clock, answerTime, ask(group, ext)).catch(() => "");
    leave();
    note(group.groupId, ext, name);
    if (name === "") silent.set(key, clock.now() + silentFor);
    return name;
  };
  return {
    note,
    known,
    async find(group, ext) {
      if (group.ext === null || ext === "") return "";
      const name = known(group.groupId, ext);
      return name || (await asking.run(keyOf(group.groupId, ext), () => askWithin(group, ext))) || ext;
    },
  };
}
