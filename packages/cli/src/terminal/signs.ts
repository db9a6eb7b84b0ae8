import { styleText } from "node:util";

/** The sign and colour of each kind of line, by consola's name for it. */
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

/** A text after its sign, in colour if the stream supports colours. */
export function signed(sign: Sign, text: string, stream: NodeJS.WriteStream = process.stderr): string {
  const [style, letter] = signs[sign];
  return `${styleText(style, letter, { stream })} ${text}`;
}
