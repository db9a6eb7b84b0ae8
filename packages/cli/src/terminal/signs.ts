import { styleText } from "node:util";

/** The sign and colour of a line for a person, by the name that consola has for its kind. */
const signs = {
  success: ["green", "✔"],
  info: ["cyan", "ℹ"],
  debug: ["dim", "·"],
  warn: ["yellow", "⚠"],
  error: ["red", "✖"],
} as const;

/** A kind of line that has a sign. */
type Sign = keyof typeof signs;

export const isSign = (type: string): type is Sign => Object.hasOwn(signs, type);

/** A text after its sign, which has its colour if the stream shows colours. */
export function signed(sign: Sign, text: string, stream: NodeJS.WriteStream = process.stderr): string {
  const [style, letter] = signs[sign];
  return `${styleText(style, letter, { stream })} ${text}`;
}
