import type { GroupRecord } from "../records/groups.ts";
import type { MessageRecord } from "../records/messages.ts";
import { TelexError } from "../errors/errors.ts";
import type { OutboxPlace } from "./dispatch.ts";
import { readKept } from "./kept.ts";
import { askToSend, type Known, readAnswer, type SendThere, type SendThereDeps } from "./send-there.ts";

/** What following a message needs. */
interface SendFollowDeps extends Pick<SendThereDeps, "store" | "clock" | "questions" | "hasPeers"> {
  readonly sendThere: SendThere;
  /** The holder of the leases of this server. */
  readonly self: string;
}

/**
 * Asks the server that has accepted a waiting message: earlier messages of its room may wait there. Null if that server has ended, or
 * does not have the message any more.
 */
async function askAccepting(deps: SendFollowDeps, place: OutboxPlace): Promise<Known> {
  const { store, clock, hasPeers, self } = deps;
  const row = hasPeers ? await store.findSend({ ...place, now: clock.now() }) : null;
  const server = row?.state === "waiting" ? readKept(row.message).server : null;
  const answer = server === null || server === self ? "elsewhere" : await askToSend(deps, server, place);
  return typeof answer === "string" ? null : readAnswer(answer);
}

/**
 * Resolves when a message in the outbox is stored, for a caller who repeats it. It keeps its place among the messages of its room. If
 * the server that has accepted it is gone, it is sent now.
 * @throws TelexError as {@link SendThere}
 */
export const createSendFollow =
  (deps: SendFollowDeps): SendThere =>
  async (group: GroupRecord, place: OutboxPlace): Promise<MessageRecord> => {
    // A storage that fails is logged below.
    const known = await askAccepting(deps, place).catch(() => null);
    if (TelexError.is(known)) throw known;
    return known ?? deps.sendThere(group, place);
  };
