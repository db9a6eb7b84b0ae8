import type { AccountClient } from "@telex/auth-server/client";
import type { MessageView } from "@telex/core";
import type { RoomView, SegmentInput } from "../content/api.ts";

type MessagesApi = AccountClient["messages"];

/** The messages of a room that cause notifications. */
export type Level = RoomView["notify"];

/** A user who has read a message. */
type Reader = Awaited<ReturnType<MessagesApi["readers"]>>["list"][number];

type MessageKey = Pick<MessageView, "groupId" | "messageId">;

/** Edits, reactions, pins, readers and notification levels. All methods throw the errors of the server. */
export interface MessageAmends {
  readonly edit: (message: MessageKey, segments: readonly SegmentInput[]) => Promise<void>;
  readonly react: (message: MessageKey, emoji: string, isRemoved: boolean) => Promise<void>;
  readonly pin: (message: MessageKey, isRemoved: boolean) => Promise<void>;
  readonly pins: (groupId: number) => Promise<readonly MessageView[]>;
  /** The first members who have read a message. */
  readonly readers: (message: MessageKey) => Promise<readonly Reader[]>;
  /** `mutedUntil` is in Unix milliseconds; 0 ends a mute. By default, a mute does not change. */
  readonly notify: (groupId: number, level: Level, mutedUntil?: number) => Promise<void>;
}

interface AmendDeps {
  readonly api: MessagesApi;
  /** Shows the new version of a message. */
  readonly amended: (message: MessageView) => void;
  /** Fetches a room again. */
  readonly refresh: (groupId: number) => Promise<void>;
}

const keyOf = ({ groupId, messageId }: MessageKey): MessageKey => ({ groupId, messageId });

export function createAmends({ api, amended, refresh }: AmendDeps): MessageAmends {
  const show = async (changed: Promise<MessageView>): Promise<void> => amended(await changed);
  return {
    edit: (message, segments) => show(api.edit({ ...keyOf(message), message: [...segments] })),
    react: (message, emoji, remove) => show(api.react({ ...keyOf(message), emoji, remove })),
    pin: async (message, remove) => void (await api.pin({ ...keyOf(message), remove })),
    pins: async (groupId) => (await api.pins({ groupId })).list,
    readers: async (message) => (await api.readers(keyOf(message))).list,
    async notify(groupId, level, mutedUntil) {
      await api.notify({ groupId, level, mutedUntil });
      await refresh(groupId);
    },
  };
}
