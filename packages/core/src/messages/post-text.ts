import { createHash } from "node:crypto";
import { TelexError } from "@telex/ground/errors";
import { buildMessage } from "./segments.ts";
import { noSources, partiesOf, type SendDeps, storeMessage } from "./send.ts";

/** A text that a plug-in posts to a room, such as that of a hook. */
export interface PostedText {
  readonly groupId: number;
  /** The sender, who need not be a member. */
  readonly userId: number;
  /** The name with which the sender appears. */
  readonly nickname: string;
  /** At most `Limits.messageText` code points. */
  readonly text: string;
  /** A repeat with the same one stores nothing. Null: each call stores a message. */
  readonly nonce: string | null;
}

/**
 * Posts a text to a room that is stored here. Resolves with the id of the message when it is durable.
 * @throws TelexError `group_not_found`, `user_not_found`, `not_supported`, `archived`, `nonce_conflict`
 */
export async function postText(
  deps: SendDeps,
  { groupId, userId, nickname, text, nonce }: PostedText,
): Promise<number> {
  const { room, sender } = await partiesOf(deps, groupId, userId);
  if (room.group.groupType !== 1) throw new TelexError("not_supported");
  if (room.group.archived) throw new TelexError("archived");
  const message = buildMessage([{ type: "text", data: { text } }], noSources);
  const fingerprint = createHash("sha256")
    .update(JSON.stringify([nickname, text]))
    .digest("hex");
  const repeatable = nonce === null ? null : { value: nonce, fingerprint, life: deps.limits.nonceLife };
  const prepared = {
    room,
    sender: { ...sender, nickname },
    message,
    notice: null,
    mentions: null,
    isPosted: true,
  } as const;
  return (await storeMessage(deps, prepared, { nonce: repeatable, origin: null })).id;
}
