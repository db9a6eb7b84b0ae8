import { en } from "./en.ts";

/** Values for the placeholders of a text. */
export type TextParams = Readonly<Record<string, string | number>>;

const keysOf = <T extends object>(texts: T): readonly (keyof T)[] =>
  Object.keys(texts).filter((key): key is Extract<keyof T, string> => Object.hasOwn(texts, key));

/** A word for each way in which an operation can fail. Clients depend on these words, so they never change. */
export type ErrorCode = keyof (typeof en)["errors"];
/** Every {@link ErrorCode}. */
export const errorCodes = keysOf(en.errors);

/** A word for a text that is more specific than the text of an error code. */
export type ReasonKey = keyof (typeof en)["reasons"];
/** Every {@link ReasonKey}. */
export const reasonKeys = keysOf(en.reasons);

/** A word for the problem of one field. */
export type ProblemKey = keyof (typeof en)["problems"];
/** Every {@link ProblemKey}. */
export const problemKeys = keysOf(en.problems);

/** All texts for people. A language without one of them does not compile. */
export type Texts = { readonly [Part in keyof typeof en]: Readonly<Record<keyof (typeof en)[Part], string>> };

type PlaceholderOf<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${string} ${string}` ? never : Name) | PlaceholderOf<Rest>
  : never;

/** The values that a text needs for its placeholders, except those that every error provides. */
export type ParamsOf<Text extends string> = [Exclude<PlaceholderOf<Text>, "retryAfter" | "incident">] extends [never]
  ? { readonly params?: TextParams }
  : { readonly params: Readonly<Record<Exclude<PlaceholderOf<Text>, "retryAfter" | "incident">, string | number>> };
