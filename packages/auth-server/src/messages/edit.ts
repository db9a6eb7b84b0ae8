import { TelexError, type MessageChange, type SegmentInput } from "@telex/core";
import { extrasOf, type MessageRecord, type Room, type StoredSegment, storedSegmentsOf } from "@telex/core/storage";
import { assertChangeable } from "./react.ts";

/** A segment of an edited message: `stored` is its form in the store if it is a text or a mention, otherwise null. */
interface EditedPart {
  readonly given: SegmentInput;
  readonly stored: StoredSegment | null;
}

interface EditRules {
  readonly userId: number;
  /** Unix milliseconds. */
  readonly now: number;
  /** Milliseconds after a message for which its sender may edit it. */
  readonly life: number;
}

const isWritten = (segment: StoredSegment): boolean => "text" in segment || "at" in segment;

/** True if a segment that is sent again stands for the one that is stored. Names of files do not change. */
function isSame({ type, data }: SegmentInput, stored: StoredSegment | undefined): boolean {
  if (stored === undefined) return false;
  if (type === "reply") return "reply" in stored && stored.reply.messageId === String(data.messageId);
  if (type !== "image" && type !== "file") return false;
  return "image" in stored ? stored.image.file.startsWith(data.file_id) : "file" in stored;
}

/**
 * The stored segments with new texts and mentions.
 * @throws TelexError `invalid_request` if other segments differ in number or order
 */
function merged(before: readonly StoredSegment[], parts: readonly EditedPart[]): readonly StoredSegment[] {
  const fixed = before.filter((segment) => !isWritten(segment));
  const others = parts.filter(({ stored }) => stored === null);
  if (fixed.length !== others.length || !others.every(({ given }, at) => isSame(given, fixed[at])))
    throw new TelexError("invalid_request", { reason: "edit_parts" });
  const rest = [...fixed];
  return parts.flatMap(({ stored }) => stored ?? rest.shift() ?? []);
}

function assertOwn(message: MessageRecord, rules: EditRules): void {
  const { external, userId, id: messageId, receiveTime } = message;
  if (external || extrasOf(message).isPosted === true)
    throw new TelexError("not_supported", { reason: "message_posted" });
  if (userId !== String(rules.userId))
    throw new TelexError("not_owner", { reason: "message_foreign", params: { messageId } });
  if (rules.now - receiveTime > rules.life)
    throw new TelexError("too_late", { reason: "edit_late", params: { seconds: Math.floor(rules.life / 1000) } });
}

/**
 * New texts of one's own message; null if nothing changes.
 * @throws TelexError `not_owner`, `too_late`, `invalid_request`, `not_supported` for a message of a hook or a network, and as {@link assertChangeable}
 */
export const editing =
  (rules: EditRules) =>
  (message: MessageRecord, parts: readonly EditedPart[], room: Room): MessageChange | null => {
    assertChangeable(message, room);
    assertOwn(message, rules);
    const segments = merged(storedSegmentsOf(message), parts);
    if (JSON.stringify(segments) === message.content) return null;
    return { segments, extras: { ...extrasOf(message), editedAt: rules.now } };
  };
