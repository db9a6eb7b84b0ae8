import type { PrintedMessage, Texts } from "./state/message.ts";

/** A stretch of texts that is drawn, and skipped while out of sight, as one. */
interface Stretch {
  /** The same for the same texts, however many come before and after. */
  readonly key: string;
  readonly messages: readonly PrintedMessage[];
}

/** The texts of one day. */
export interface Sheet {
  /** Unix milliseconds at which the day begins in the viewer's zone. */
  readonly day: number;
  readonly stretches: readonly Stretch[];
}

/** Texts of one stretch. */
const stretchLength = 50;

/**
 * Texts by day and stretch.
 * @param before how many of them were put before the first ones, so that stretches keep their borders when history comes
 */
export function layOut(texts: Texts, before: number): readonly Sheet[] {
  const sheets: { day: number; stretches: { key: string; messages: PrintedMessage[] }[] }[] = [];
  texts.forEach((message, index) => {
    const key = `${message.day}.${Math.floor((index - before) / stretchLength)}`;
    const sheet = sheets.at(-1);
    const stretch = sheet?.stretches.at(-1);
    if (sheet?.day !== message.day) sheets.push({ day: message.day, stretches: [{ key, messages: [message] }] });
    else if (stretch?.key === key) stretch.messages.push(message);
    else sheet.stretches.push({ key, messages: [message] });
  });
  return sheets;
}
