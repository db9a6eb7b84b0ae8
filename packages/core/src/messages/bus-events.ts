import { topics, type TopicsOf } from "@telex/ground/bus";
import type { MessageRecord } from "../records/messages.ts";

/** Events between servers about messages. */
export interface MessagesBusEvents {
  /**
   * A message of a room was stored. `record.seq` shows a receiver whether it has missed others of the room. `sent`: the id that it had
   * in the outbox, if another server may have accepted it.
   */
  message: { readonly record: MessageRecord; readonly sent?: string };
}

export const messagesBusTopics: TopicsOf<MessagesBusEvents> = {
  message: ({ record }) => topics.room(record.groupId),
};
