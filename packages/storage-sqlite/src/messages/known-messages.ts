import type {
  MessageAppend,
  MessageAppended,
  MessageRecord,
  NetworkIds,
  SendClaim,
  SendClaimed,
} from "@telex/core/storage";
import type { Command } from "../engine/database.ts";
import type { prepareMessages } from "../sql/messages.ts";

/** The result for a known nonce. */
type Known = Extract<SendClaimed, MessageAppended>;

/** Recognizes a repeated message by its nonce, or by its ids in networks. Only call its methods in a transaction. */
export class KnownMessages {
  readonly #sql: ReturnType<typeof prepareMessages>;

  constructor(sql: ReturnType<typeof prepareMessages>) {
    this.#sql = sql;
  }

  /** The result for a repeat, or null. Stores all network ids of the repeat for the message. */
  findRepeated(append: MessageAppend): MessageAppended | null {
    const { message, nonce, network } = append;
    const existing = this.#findNonce(message, nonce, message.receiveTime) ?? this.#findByNetworkId(append);
    if (existing?.outcome === "repeated") this.#keepIds(network, existing.message, this.#sql.keepBotMessage);
    return existing;
  }

  /** The result for a repeat of a message that went through the outbox, or null. */
  findSent({ groupId, userId, nonce, at }: SendClaim): Known | null {
    return this.#findNonce({ groupId, userId, external: false }, nonce, at);
  }

  /** Stores the nonce and the network ids of a new message, to recognize a repeat. */
  keep(append: MessageAppend, message: MessageRecord): void {
    this.#keepNonce(append, message);
    this.#keepIds(append.network, message, this.#sql.moveBotMessage);
  }

  #findNonce(
    { groupId, userId, external }: Pick<MessageRecord, "groupId" | "userId" | "external">,
    nonce: MessageAppend["nonce"],
    now: number,
  ): Known | null {
    const existing = nonce === null ? null : this.#sql.nonce.one(groupId, userId, Number(external), nonce.value);
    if (nonce === null || existing === null || existing.at <= now - nonce.life) return null;
    if (existing.fingerprint !== nonce.fingerprint) return { outcome: "nonce_conflict" };
    return { outcome: "repeated", message: this.#sql.at.only(groupId, existing.seq) };
  }

  /** The same message of the account under one of its ids, or null. Stores the nonce for it, which must be free. */
  #findByNetworkId(append: MessageAppend): Known | null {
    const message = this.#findByIds(append);
    if (message === null) return null;
    this.#keepNonce(append, message);
    return { outcome: "repeated", message };
  }

  #findByIds({ message: { groupId }, network }: MessageAppend): MessageRecord | null {
    for (const messageId of network?.messageIds ?? []) {
      const position = this.#sql.botMessage.one(network?.account ?? "", messageId, groupId);
      const existing = position === null ? null : this.#sql.at.only(groupId, position.seq);
      if (existing !== null && network?.isSame?.(existing, messageId) !== false) return existing;
    }
    return null;
  }

  #keepNonce(
    { message: { userId, external, receiveTime }, nonce }: MessageAppend,
    { groupId, seq }: MessageRecord,
  ): void {
    if (nonce === null) return;
    this.#sql.forgetNonces(receiveTime - nonce.life);
    this.#sql.keepNonce(groupId, userId, Number(external), nonce.value, nonce.fingerprint, seq, receiveTime);
  }

  #keepIds(network: NetworkIds | null, { id, groupId, seq }: MessageRecord, keep: Command): void {
    for (const messageId of network?.messageIds ?? []) keep(network?.account ?? "", messageId, id, groupId, seq);
  }
}
