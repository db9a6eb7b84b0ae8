import { z } from "zod";

/** A whole number: an id, a count, or Unix milliseconds. */
export const integer = z.int();
/** A text, stored byte for byte. */
export const text = z.string();
/** An {@link integer} or null. */
export const integerOrNull = integer.nullable();
/** A {@link text} or null. */
export const textOrNull = text.nullable();
/** A boolean. */
export const flag = z.boolean();
/** A list of texts, in order. */
export const texts = z.array(text);
