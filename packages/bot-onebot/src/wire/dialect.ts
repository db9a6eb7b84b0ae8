import type { GatewayMessage } from "@telex/core";
import type { NetworkMember, NetworkRoom, OpenMedia } from "../gateway-types.ts";
import type { BotEvent, MessageEvent } from "./events.ts";
import type { Action, Ask } from "./frames.ts";

/** The version of OneBot that a connection speaks. */
export type Version = 11 | 12;

/** A picture or file of the network, as an implementation describes it. */
export interface MediaSource {
  /** An address, or bytes as `base64://...`. */
  readonly url: string | null;
  /** The action that asks for its address if it has none; null without such an action. */
  readonly find: Action | null;
}

/** Opens pictures and files. */
export type Open = (source: MediaSource) => OpenMedia | undefined;

/** An action that makes a message, or a part of it, appear in the network. */
export interface PlannedAction extends Action {
  /** The name of the file that it sends. Its echo may have no other property in common. */
  readonly fileName: string | null;
  /** The parts of the message that the action sends. */
  readonly parts: GatewayMessage["parts"];
}

/** A message that was turned into actions, or the reason why it was not. Nothing of it was sent. */
export type Planned =
  | { readonly outcome: "planned"; readonly actions: readonly PlannedAction[] }
  | { readonly outcome: "offline" }
  | { readonly outcome: "unsupported" }
  | { readonly outcome: "refused"; readonly detail: string };

export interface PlanDeps {
  readonly ask: Ask;
  /** Known IDs of files that the implementation has: the same bytes are uploaded once. */
  readonly uploaded: Pick<ReadonlyMap<string, string>, "get"> & {
    set(md5: string, fileId: string): unknown;
    delete(md5: string): unknown;
  };
}

/** An implementation's own account. */
export interface Identity {
  /** The ID of the account in the network. */
  readonly ext: string;
  /** Sent with each action if one connection carries several accounts. */
  readonly self: Readonly<Record<string, string>> | null;
}

/** The account and the room of a requested history. */
export interface HistoryKey {
  readonly room: NetworkRoom;
  /** The ID of the account in the network. */
  readonly ext: string;
}

/** A version of OneBot: how messages, events and questions look on the wire. */
export interface Dialect {
  readonly version: Version;
  /** Turns a message into actions. Uploads files first. */
  plan(message: GatewayMessage, deps: PlanDeps): Promise<Planned>;
  /** The id of the message in an answer, or null. */
  messageIdOf(data: unknown): string | null;
  /** Every id in the answer by which an echo will be known. */
  echoIdsOf(data: unknown): readonly string[];
  /** Reads an event. Never throws, whatever the frame is. */
  readEvent(frame: unknown, ext: string | null, open: Open): BotEvent;
  /** The account that an event belongs to, or null. */
  identityOf(frame: unknown): Identity | null;
  /** Recalls the message with this id in a room; null for an id that cannot be recalled. */
  recall(room: NetworkRoom, messageId: string): Action | null;
  /** Adds or removes a reaction to the message with this id; null if the version has no such action. */
  react(messageId: string, emoji: string, isRemoval: boolean): Action | null;
  /** Asks whether the account is signed in: null if the implementation does not say. */
  readonly status: Action;
  readStatus(data: unknown, ext: string | null): boolean | null;
  /** The account in the answer to that question, or null. */
  readIdentity(data: unknown): Identity | null;
  /** Asks for the account. */
  readonly login: Action;
  readLogin(data: unknown): string | null;
  /** Asks for the program. */
  readonly about: Action;
  /** Its name and version; null if it does not say. */
  readAbout(data: unknown): string | null;
  /** Asks for the groups of the account: the answer is a list. */
  readonly groups: Action;
  /** Asks for the name of a person in a group. */
  member(groupExt: string, ext: string): Action;
  /** The card of that person, otherwise the nickname; `""` without either. */
  readMember(data: unknown): string;
  /** Asks for the members of a group. */
  members(groupExt: string): Action;
  /** The members in the answer to that question. */
  readMembers(data: unknown): readonly NetworkMember[];
  /** Asks for the newest messages of a room, at most `count`; null if the version has no such action. */
  history(room: NetworkRoom, count: number): Action | null;
  /** The messages in the answer to that question, in the order of the answer. */
  readHistory(data: unknown, key: HistoryKey, open: Open): readonly MessageEvent[];
  /** The address of a picture or file in an answer, or null. */
  readUrl(data: unknown): string | null;
}

/** The version of a frame; null if it shows none, as an answer does. */
export function versionOf(frame: unknown): Version | null {
  if (typeof frame !== "object" || frame === null) return null;
  if ("post_type" in frame) return 11;
  return "type" in frame ? 12 : null;
}
