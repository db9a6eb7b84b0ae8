import type { Pinyin, SearchReader } from "@telex/search-terms";
import { createLru } from "@telex/ground/caches";
import { TelexError } from "@telex/ground/errors";
import { extrasOf, type MessageExtras, type MessageRecord } from "../records/messages.ts";
import type { Room } from "../records/groups.ts";
import { type StoredSegment, toPinyin, typeOf } from "../records/segments.ts";
import type { FanOut } from "@telex/ground/concurrency";
import type { MessagesLiveEvent } from "./live-events.ts";
import type { MessageView, SegmentInput } from "./contract.ts";
import type { MessageAmendment } from "./store.ts";
import type { RecallNews } from "./recalls/recall.ts";
import { asWritten } from "./recalls/recalled.ts";
import { mentionsIn } from "./mentions.ts";
import { changedReactions, type Reacting } from "../records/reactions.ts";
import { buildMessage, readSegments } from "./segments.ts";
import { type SendDeps, sourcesOf } from "./send.ts";
import { reactionsOf, type ViewMessage } from "./view.ts";

/** Recent changes that are remembered, so that this server publishes each once. */
const remembered = 10_000;

/** Maximum changes of a room that are read together. The one that was reported is the first. */
const mostHeard = 1000;

/** A change of a message. `segments`: null to leave them unchanged. */
export interface MessageChange {
  readonly segments: readonly StoredSegment[] | null;
  readonly extras: MessageExtras;
}

/** A new segment. `stored`: the stored form of a text or a mention; null for another segment. */
interface MessagePart {
  readonly given: SegmentInput;
  readonly stored: StoredSegment | null;
}

/** A change of a message by a member of its room, for `Telex.amendMessage`. */
export interface MessageAmending {
  readonly userId: number;
  readonly groupId: number;
  readonly messageId: number;
  /** New segments, as in sending. Default: none. */
  readonly message?: string | readonly SegmentInput[];
  /**
   * Decides how the current message changes, with the new segments; null to leave it unchanged. May throw, and may be called several times:
   * it must depend on its arguments only.
   */
  readonly decide: (message: MessageRecord, parts: readonly MessagePart[], room: Room) => MessageChange | null;
}

interface AmendDeps extends Pick<SendDeps, "store" | "rooms"> {
  readonly send: Parameters<typeof sourcesOf>[0];
  readonly search: Pick<SearchReader, "terms">;
  readonly pinyin: Pinyin;
  readonly view: ViewMessage;
  readonly recalls: Pick<RecallNews, "keep">;
  readonly fanOut: Pick<FanOut<MessagesLiveEvent>, "publish">;
  readonly indexing: { readonly stored: (message: MessageRecord) => void };
}

/** The events of a changed message in its current state: of its texts if `isEdited`, of its reactions if `isReacted`. */
export function amendEvents(
  message: MessageRecord,
  { group }: Room,
  view: ViewMessage,
  { isEdited, isReacted } = { isEdited: extrasOf(message).editedAt > 0, isReacted: true },
): readonly MessagesLiveEvent[] {
  const { groupId, id: messageId } = message;
  const reacted = { groupId, groupType: group.groupType, messageId, reactions: reactionsOf(message) };
  return [
    ...(isEdited ? [{ kind: "message_edited", data: view(message, group, true) } as const] : []),
    ...(isReacted ? [{ kind: "message_reaction", data: reacted } as const] : []),
  ];
}

async function partsOf(
  send: AmendDeps["send"],
  room: Room,
  userId: number,
  input: string | readonly SegmentInput[],
): Promise<readonly MessagePart[]> {
  const segments = readSegments(input, send.limits);
  const written = segments.filter(({ type }) => type === "text" || type === "at");
  const built = buildMessage(written, await sourcesOf(send, room, userId, written)).segments;
  return segments.map((one) => ({ given: one, stored: built[written.indexOf(one)] ?? null }));
}

/** The last decision, which counts: a store may call `decide` several times. */
interface Last {
  refusal: { readonly cause: unknown } | null;
  isEdited: boolean;
  /** The number of the preceding change; 0 before the first. */
  before: number;
}

interface Deciding {
  readonly decide: (message: MessageRecord) => MessageChange | null;
  readonly mentions: string | null;
}

/** Calls the rule of a caller, and converts its decision for the store. */
const decideFor =
  ({ pinyin, search }: AmendDeps, last: Last, { decide, mentions }: Deciding) =>
  (message: MessageRecord): MessageAmendment | null => {
    last.refusal = null;
    last.before = message.changed;
    try {
      const change = decide(message);
      if (change === null) return null;
      const extras = JSON.stringify(change.extras);
      last.isEdited = change.segments !== null;
      if (change.segments === null) return { texts: null, extras };
      const segments = asWritten(change.segments);
      const texts = {
        type: typeOf(segments),
        content: JSON.stringify(segments),
        pinyin: JSON.stringify(toPinyin(segments, (text) => pinyin.text(text))),
        mentions,
      };
      return { texts: { ...texts, terms: search.terms({ ...message, ...texts }) }, extras };
    } catch (cause) {
      last.refusal = { cause };
      return null;
    }
  };

/** Changes messages by the rules of plug-ins, and notifies their members, also those on other servers. */
export function createAmends(deps: AmendDeps) {
  const { store, rooms, recalls, view, fanOut } = deps;
  const published = createLru<number, number>(remembered);
  const tell = (message: MessageRecord, room: Room, events: readonly MessagesLiveEvent[]): void => {
    if ((published.get(message.id) ?? 0) >= message.changed) return;
    published.set(message.id, message.changed);
    recalls.keep(message);
    for (const more of events) {
      const sender = more.kind === "message_edited" ? Number(message.userId) : null;
      fanOut.publish({ event: null, more, members: room.members, sender, origin: null });
    }
  };
  const change = async (room: Room, messageId: number, deciding: Deciding) => {
    const last: Last = { refusal: null, isEdited: false, before: 0 };
    const { groupId } = room.group;
    const amended = await store.amend({ groupId, messageId, decide: decideFor(deps, last, deciding) });
    if (last.refusal !== null) throw last.refusal.cause;
    if (amended.outcome === "missing")
      throw new TelexError("not_found", { reason: "message_unknown", params: { messageId } });
    const { message } = amended;
    const { isEdited, before } = last;
    // The event of a preceding change by another server may still be on its way. It will not be published after this one.
    const isNext = (published.get(messageId) ?? 0) >= before;
    const events = amendEvents(message, room, view, isNext ? { isEdited, isReacted: !isEdited } : undefined);
    if (amended.outcome === "amended") tell(message, rooms.latest(room), events);
    if (amended.outcome === "amended" && isEdited) deps.indexing.stored(message);
    return amended;
  };
  return {
    /** @throws TelexError `group_not_found`, `not_found`, `user_not_found`, and what `decide` throws */
    async amend({ userId, groupId, messageId, message: input, decide }: MessageAmending): Promise<MessageView> {
      const room = await rooms.enter({ groupId, userId });
      const parts = input === undefined ? [] : await partsOf(deps.send, room, userId, input);
      const written = parts.flatMap(({ stored }) => stored ?? []);
      const mentions = await mentionsIn(written, room, deps.send.findUser);
      const { message } = await change(room, messageId, { decide: (now) => decide(now, parts, room), mentions });
      return view(message, room.group, true);
    },
    /**
     * Stores a reaction of a person of the room's network.
     * @throws TelexError `limit_reached`
     */
    async reactReceived(room: Room, messageId: number, by: Reacting): Promise<"reacted" | "known"> {
      const decide = (message: MessageRecord): MessageChange | null => {
        const extras = extrasOf(message);
        const reactions = changedReactions(extras.reactions, by);
        return reactions === null ? null : { segments: null, extras: { ...extras, reactions } };
      };
      const { outcome } = await change(room, messageId, { decide, mentions: null });
      return outcome === "amended" ? "reacted" : "known";
    },
    /** Call it when a message was changed, on this server or another one: `<groupId>/<number of the change>`. */
    async heard(key: string): Promise<void> {
      const [groupId = 0, changed = 0] = key.split("/").map(Number);
      const room = await rooms.find(groupId);
      if (room === null) return;
      const messages = await store.listAmended({ groupIds: [groupId], after: changed - 1, limit: mostHeard });
      for (const message of messages ?? []) tell(message, room, amendEvents(message, room, view));
    },
  };
}
