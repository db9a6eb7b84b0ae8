import type { MessageView } from "@telex/core";
import { plainText, readContent } from "./content.ts";
import type { RoomTexts } from "./texts-en.ts";

type Noticed = Pick<MessageView, "content" | "notice">;

/** The stored sentence, which every client can show, without its brackets. */
export const storedWords = ({ content }: Noticed): string => plainText(readContent(content)).replaceAll(/^\[|\]$/g, "");

/** Describes a change of the room in the language of the page. `names` are the people concerned, or `""` if they are unknown. */
export const noticeWords = (message: Noticed, names: string, { notices }: Pick<RoomTexts, "notices">): string =>
  notices[message.notice?.kind ?? ""]?.(names) ?? storedWords(message);
