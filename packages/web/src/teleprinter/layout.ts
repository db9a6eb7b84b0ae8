import type { PrintedMessage, Texts } from "./state/message.ts";

/** A group of texts that is drawn, and skipped while out of sight, as a unit. */
interface Part {
  /** Stable for the same texts, whatever is added before and after. */
  readonly key: string;
  readonly messages: readonly PrintedMessage[];
}

export interface Sheet {
  /** The beginning of the day in the viewer's zone, in Unix milliseconds. */
  readonly day: number;
  readonly parts: readonly Part[];
}

/** The maximum number of texts per group. */
const partLength = 50;

/**
 * Groups texts by day, and each day into parts.
 * @param before the number of texts that were prepended, so that loading history does not move the boundaries of parts
 */
export function layOut(texts: Texts, before: number): readonly Sheet[] {
  const sheets: { day: number; parts: { key: string; messages: PrintedMessage[] }[] }[] = [];
  texts.forEach((message, index) => {
    const key = `${message.day}.${Math.floor((index - before) / partLength)}`;
    const sheet = sheets.at(-1);
    const part = sheet?.parts.at(-1);
    if (sheet?.day !== message.day) sheets.push({ day: message.day, parts: [{ key, messages: [message] }] });
    else if (part?.key === key) part.messages.push(message);
    else sheet.parts.push({ key, messages: [message] });
  });
  return sheets;
}
