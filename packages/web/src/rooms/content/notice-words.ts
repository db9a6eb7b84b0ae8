import type { MessageView } from "@telex/core";
import { plainText, readContent } from "./content.ts";
import type { RoomTexts } from "./texts-en.ts";

type Noticed = Pick<MessageView, "content" | "notice">;

/** The stored sentence, which every client can show, without its brackets. */
export const storedWords = ({ content }: Noticed): string => plainText(readContent(content)).replaceAll(/^\[|\]$/g, "");

/** Says in words of the page how the sender has changed the room; `names` are those whom it concerns, `""` if they are not known. */
export const noticeWords = (message: Noticed, names: string, { notices }: Pick<RoomTexts, "notices">): string =>
  notices[message.notice?.kind ?? ""]?.(names) ?? storedWords(message);
