import { topics, type TopicsOf } from "@telex/ground/bus";

/** Events between servers about replies of models. */
export interface AiBusEvents {
  /** The reader `asker` asks for the events of a model's reply after the one of this number, on the server that runs it. */
  reply_ask: {
    readonly reply: string;
    readonly userId: number;
    readonly after: number;
    readonly asker: string;
    readonly number: number;
  };
  reply_part: {
    readonly reply: string;
    readonly asker: string;
    readonly number: number;
    readonly texts: readonly string[];
    readonly isOver: boolean;
  };
}

export const aiBusTopics: TopicsOf<AiBusEvents> = {
  reply_ask: () => null,
  reply_part: ({ reply }) => topics.reply(reply),
};
