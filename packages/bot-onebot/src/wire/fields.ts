import { interfaceLimits, shortText } from "@telex/core/contract";
import { z } from "zod";

/** Segments of a message that are read: one more than a message may have shows that it has too many. */
export const mostSegments = interfaceLimits.messageSegments + 1;

/** Characters of a text that are read: one more than a message may have shows that it is too long. */
export const mostCharacters = interfaceLimits.messageText + 1;

/** Accounts that one connection may carry. */
export const mostAccounts = 1000;

/** The first characters of a text, without half of one. */
export const firstOf = (text: string, most: number): string => {
  const end = /[\ud800-\udbff]/.test(text.charAt(most - 1)) ? most - 1 : most;
  return text.slice(0, end);
};

/** A text that is cut to its first `most` characters. */
export const shortened = (most: number) => z.string().transform((text) => firstOf(text, most));

/** The name of a person in the network. */
export const nameOrNull = shortened(128).nullish();

/** The version of a program, which some write as a number; `""` if it is neither. */
export const versionText = z
  .union([z.string(), z.number().transform(String)])
  .pipe(shortText(100))
  .catch("");

/** A text that may be as long as a frame, because it may contain a picture or file. */
export const longText = shortText(16 * 2 ** 20);

/** A {@link longText} with at least one character. */
export const filledText = shortText(16 * 2 ** 20, 1);

/** A text that is not cut: a longer one counts as missing. */
export const textOrNull = (most: number) => shortText(most).nullish().catch(null);

/** A number from here on counts as milliseconds: in seconds it would be a time after the year 5138. */
const leastMillis = 1e11;

/** The time of an event in Unix milliseconds. OneBot has it in seconds. Some implementations send milliseconds, which only the size shows. */
const millisOf = (time: number): number => Math.round(time < leastMillis ? 1000 * time : time);

/** The time of an event, as Unix milliseconds. It may be any time after 1970. */
export const eventTime = z.number().min(0).transform(millisOf);
