import type { GroupType } from "@telex/ground/contract";
import type { ByteStream } from "@telex/files/blobs";
import type { GatewayLeases } from "./leases.ts";
import type { IncomingMessage, IncomingReaction, IncomingRecall } from "./incoming.ts";
import type { BotRecord } from "../records/gateways.ts";

/** A file of a message on its way to an external network. */
export interface GatewayFile {
  /** Its name for people: not safe as a part of a path. */
  readonly name: string;
  /** Its content type: for an image what its bytes say, otherwise what the uploader said. */
  readonly mime: string;
  /** Bytes. */
  readonly size: number;
  /** 32 lower-case hexadecimal digits. */
  readonly md5: string;
  /**
   * Its bytes, from the start.
   * @throws TelexError `file_not_found` if it was removed, `storage_unavailable`
   */
  open(): Promise<ByteStream>;
  /**
   * An address from which the network can download it, without a token. Null if the installation has no `baseUrl`, or if its
   * downloads need a token. Anyone who has the address can download the file.
   * @throws TelexError `storage_unavailable`
   */
  url(): Promise<string | null>;
}

/** A part of a message on its way to an external network. */
export type GatewayPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "image"; readonly file: GatewayFile }
  | { readonly kind: "file"; readonly file: GatewayFile }
  /** `ext`: an ID of the network, or `all` for all members. */
  | { readonly kind: "at"; readonly ext: string }
  /** `messageId`: the quoted message's id in the network, `""` if that is not known. */
  | { readonly kind: "reply"; readonly messageId: string };

/** A room of an external network: a group, or a private chat with one person. */
export interface NetworkRoom {
  readonly kind: "group" | "private";
  /** The group's or the person's ID in the network, 1 to 64 characters. */
  readonly ext: string;
}

/** The current state of an account of an external network. */
export interface GatewayAccount {
  /** Its name in this installation, 1 to 64 characters: the `bot` of its rooms of the types 4 and 5. */
  readonly account: string;
  /** The network, 1 to 64 characters, such as `qq`. It distinguishes ids of people that are not numbers. */
  readonly network: string;
  /** The types of the rooms that it serves. 0 and 3 are for the official account. */
  readonly groupTypes: readonly GroupType[];
  /** True while the connection to the network is open. */
  readonly isConnected: boolean;
  /** True while the network says that the account is signed in. Both must be true for messages to be sent. */
  readonly isOnline: boolean;
}

/** A message for a room of an external network. */
export interface GatewayMessage {
  /** The account through which it is sent. */
  readonly account: string;
  readonly room: NetworkRoom;
  /** At least one. */
  readonly parts: readonly GatewayPart[];
  /**
   * Await it before the network can see anything of the message. From then on the network has 30 s for its answer, and the
   * message is never sent again, even after a crash.
   * @throws TelexError `bot_offline` if it is too late: the gateway must not send the message then
   */
  readonly begin: () => Promise<void>;
  /** Aborted when the caller stops waiting for the outcome. A message that has begun is sent to its end. */
  readonly signal: AbortSignal;
}

/** The outcome of a message that was given to a gateway. */
export type GatewayOutcome =
  | {
      readonly outcome: "delivered";
      /** The message's id in the network; null if the network has not returned it. Quotes use it. */
      readonly messageId: string | null;
      /** All other ids by which the gateway will know its echoes, such as that of a file that was sent apart. */
      readonly otherIds?: readonly string[] | undefined;
    }
  /** The account is not online, or the gateway gave up before `begin`: nothing was sent. */
  | { readonly outcome: "offline" }
  /** The network does not take one of the parts; nothing was sent. */
  | { readonly outcome: "unsupported" }
  /** The network has refused the message; nothing was sent. */
  | { readonly outcome: "refused"; readonly detail: string }
  /** The network has these parts of the message, and maybe others. It is never sent again. The ids are those of `delivered`. */
  | {
      readonly outcome: "partly";
      readonly messageId: string | null;
      readonly otherIds?: readonly string[] | undefined;
      /** Some of the message's own {@link GatewayMessage.parts}, as they are; at least one. */
      readonly parts: readonly GatewayPart[];
    }
  /** The network may have the message. It is never sent again. */
  | { readonly outcome: "unknown" };

/** A person in a group of the network. */
export interface NetworkMember {
  /** The ID in the network, 1 to 64 characters. */
  readonly ext: string;
  /** `""` if it is not known. */
  readonly nickname: string;
  /** The name in the group; null if it is that of the person. */
  readonly card: string | null;
}

/** The outcome of a message of the network. */
export type IncomingReceipt =
  | {
      /** `stored`: the members see it. `known`: it was stored before, and nothing changed. */
      readonly outcome: "stored" | "known";
      readonly groupId: number;
      readonly messageId: number;
    }
  /** No chat room stands for the network's room: nothing was stored. */
  | { readonly outcome: "unknown_room" };

/** The outcome of a recall of the network. */
export type RecallReceipt =
  | {
      /** `recalled`: the members see that it is empty. `known`: it was recalled before, and nothing changed. */
      readonly outcome: "recalled" | "known";
      readonly groupId: number;
      readonly messageId: number;
    }
  /** No chat room stands for the network's room, or it has no such message: nothing was recalled. */
  | { readonly outcome: "unknown_room" | "unknown_message" };

/** A message that its sender has recalled here. */
export interface GatewayRecall {
  /** The account that has sent it. */
  readonly account: string;
  readonly room: NetworkRoom;
  /**
   * Every id under which the account knows the message, in any order, at least one: those that the gateway has returned for it, and those of
   * its echoes. The network may have it as several messages, such as a text and a file, and all of them are to be recalled.
   */
  readonly messageIds: readonly string[];
}

/** A reaction of a member to a message, or its removal. The account stands for all members in the network. */
export interface GatewayReaction extends GatewayRecall {
  /** As it is stored: one emoji. */
  readonly emoji: string;
  readonly isRemoval: boolean;
}

/** The outcome of a reaction. */
export interface ReactionOutcome {
  /** `done`: the network has it so now. `unsupported`: it has no such reaction. `unknown`: it may have it so; the others: it does not. */
  readonly outcome: "done" | "unsupported" | "refused" | "offline" | "unknown";
  /** Why it was refused. */
  readonly detail?: string | undefined;
}

/** The outcome of a reaction of the network, as {@link RecallReceipt}. */
export type ReactionReceipt =
  | { readonly outcome: "reacted" | "known"; readonly groupId: number; readonly messageId: number }
  | { readonly outcome: "unknown_room" | "unknown_message" };

/** A room of the network for which there is a chat room. */
export interface KnownRoom {
  readonly room: NetworkRoom;
  /** When the chat room was added, in Unix milliseconds. The gateway leaves out earlier messages. */
  readonly since: number;
}

/** Receives the messages and recalls that come from a network. */
export interface GatewayInbox {
  /**
   * Stores a message of the network once and mirrors it to the members of its room. Resolves when it is durable. Calls for one
   * room of one account take effect in their order. After a failure the same message may be given again.
   * @throws TelexError `invalid_request` for a message that is malformed or over a limit, `not_found` for an account that the
   * gateway does not have, `queue_full` if too many messages of the account wait, `shutting_down`, `storage_full`,
   * `storage_unavailable`
   */
  receive(message: IncomingMessage): Promise<IncomingReceipt>;
  /**
   * Recalls a message that was recalled in the network, under any of its ids: its content becomes `[消息已撤回]`, and the members get an event.
   * Takes effect after the messages received in this room before. Resolves when it is durable.
   * @throws TelexError as `receive`
   */
  recall(recall: IncomingRecall): Promise<RecallReceipt>;
  /**
   * Adds the reaction of a person of the network to a message, or takes it away. Order and durability are those of `recall`.
   * @throws TelexError as `receive`, `limit_reached` if the message has too many
   */
  react(reaction: IncomingReaction): Promise<ReactionReceipt>;
  /**
   * The rooms of the network for which an account has chat rooms, by their ids: in these it can ask for the messages that were sent while it was
   * not connected. Costs as much as listing all chat rooms.
   * @throws TelexError `not_found` for an account that the gateway does not have, `shutting_down`, `storage_unavailable`
   */
  listRooms(account: string): Promise<readonly KnownRoom[]>;
}

/** One step of trying an account. */
export interface GatewayCheck {
  /** The step: `connection`, `identity` and so on. */
  readonly name: string;
  readonly ok: boolean;
  /** The finding, as a sentence in English. */
  readonly detail: string;
}

/**
 * Connects an instance to an external network, with one account or many. A gateway that is slow or fails does not affect the other gateways:
 * every call has a time limit, and core logs its errors, once a minute for each cause.
 */
export interface Gateway {
  /** Names it in logs and errors. No two gateways of an instance have the same name. */
  readonly name: string;
  /**
   * The account with this name as it is now, or null. `null` asks for the official account, through which rooms of the types 0
   * and 3 are sent. Called for each message, so it must be fast.
   */
  findAccount(account: string | null): GatewayAccount | null;
  /** All accounts as they are now, for the operator. Must be fast. */
  listAccounts(): readonly GatewayAccount[];
  /**
   * The stored accounts that this gateway serves besides its own: before `start`, and again after each change, with all that
   * there are then. Must be fast. One that has not changed keeps its connections.
   */
  keepAccounts?(bots: readonly BotRecord[]): void;
  /**
   * True if an account of the gateway's own, which is not stored, has the secret with this digest (SHA-256, hexadecimal): no account with it is added.
   * Must be fast. Left out by a gateway whose accounts show no secrets.
   */
  hasSecret?(digest: string): boolean;
  /**
   * Begins to receive. Called once. Resolves soon: the gateway connects and reconnects in the background, and reports through
   * {@link Gateway.findAccount} how that goes. With several servers, an account is connected only by the server that has its lease.
   */
  start(inbox: GatewayInbox, leases: GatewayLeases): Promise<void>;
  /**
   * Sends a message. Messages for one room come one at a time, in order. MUST await `begin` before the network can see anything,
   * MUST NOT send a message twice, and SHOULD answer `unknown` if the network does not answer. A rejection counts as `offline`
   * before `begin`, and as `unknown` after it.
   */
  send(message: GatewayMessage): Promise<GatewayOutcome>;
  /**
   * Recalls a message in the network, because its sender has recalled it here. False if a part of it stays there, for example
   * because it is too late. It stays recalled here in any case. Left out by a gateway whose network has no recalls.
   */
  recall?(recall: GatewayRecall): Promise<boolean>;
  /**
   * Reacts to a message as the account, or removes the reaction. A repeat MUST be harmless, because core repeats it after an unknown outcome. Left out by a gateway
   * whose network has no reactions.
   */
  react?(reaction: GatewayReaction): Promise<ReactionOutcome>;
  /**
   * The members of a group of the network. Called when a member of a chat room looks at its members, and not again for some minutes.
   * Rejects, or resolves with an empty list, if the network does not tell them. Left out by a gateway whose network has no such list.
   */
  listMembers?(place: { readonly account: string; readonly room: NetworkRoom }): Promise<readonly NetworkMember[]>;
  /**
   * One member of a group of the network, null if the network does not return one: for a message that mentions a person who has not spoken. It has 3 s. Left out by
   * a gateway whose network does not tell it.
   */
  findMember?(place: {
    readonly account: string;
    readonly room: NetworkRoom;
    readonly ext: string;
  }): Promise<Pick<NetworkMember, "nickname" | "card"> | null>;
  /**
   * Tries an account: what works and what does not, step by step. Called on the server that has the lease of the account, or on any
   * server if none has it. Left out by a gateway that cannot do that.
   */
  check?(account: string): Promise<readonly GatewayCheck[]>;
  /** Ends all connections. When it has resolved, the gateway MUST NOT call its inbox again. Called once. */
  close(): Promise<void>;
}
