import type { RoomMessage } from "./room.ts";

/** Maximum UTF-16 code units of a message, and of a quoted one. */
const longest = { text: 10_000, quote: 300 };

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`;

/** A value in one line of JSON. Nothing in it can end the line, or look like the tags around the lines. */
export const lineOf = (value: object): string =>
  JSON.stringify(value).replaceAll(/[<>\u2028\u2029]/g, (character) => `\\u${hexOf(character)}`);

const hexOf = (character: string): string => character.charCodeAt(0).toString(16).padStart(4, "0");

/** A quoted message, without the message that it quotes itself. */
export const quoteOf = ({ id, name, text }: RoomMessage): object => ({
  id,
  from: name,
  text: cut(text, longest.quote),
});

/** A message as a model reads it. */
export function messageLine({ id, at, name, text }: RoomMessage, quoted: RoomMessage | null): string {
  const time = new Date(at).toISOString().slice(0, 16);
  return lineOf({ id, time, from: name, ...(quoted && { quotes: quoteOf(quoted) }), text: cut(text, longest.text) });
}
