import ReceiptPrinterEncoder from "@point-of-sale/receipt-printer-encoder";
import iconv from "iconv-lite";

/** How a printer prints a character: with a code page, with its Chinese font, or not at all. */
type CharacterKind = "plain" | "wide" | "missing";

/** A character with its width on paper. */
export interface Character {
  readonly text: string;
  readonly kind: CharacterKind;
}

/** Columns of a character. */
export const columnsOf = ({ kind }: Character): number => (kind === "plain" ? 1 : 2);

/** The bytes of a Chinese text in GB18030. */
export const wideBytes = (text: string): Uint8Array => iconv.encode(text, "gb18030");

/** GB18030 has two bytes for the characters of the printer's font, and four for all others. */
const isWide = (character: string): boolean => character > "\u{7F}" && wideBytes(character).length === 2;

const question = 0x3f;

/** The encoder prints "?" for a character that is in none of its code pages. */
function isPlain(character: string): boolean {
  if (character >= " " && character <= "~") return true;
  if (character.length > 1 || character < "\u{A0}" || (character >= "\u{2E80}" && character <= "\u{FFFF}"))
    return false;
  const encoder = new ReceiptPrinterEncoder({ language: "esc-pos", columns: 48 });
  return encoder.codepage("auto").text(character).encode().at(-3) !== question;
}

const kindOf = (character: string): CharacterKind =>
  isPlain(character) ? "plain" : isWide(character) ? "wide" : "missing";

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Characters that printers would treat as commands, and those that only change how others are shown. */
const invisible = /[\p{Cc}\p{Cf}\u{FE00}-\u{FE0F}]/gu;

/**
 * Reads the characters of lines. A sequence of several code points, such as an emoji with a skin tone, is one. The kind of a character is
 * kept for later lines: asking the encoder takes milliseconds.
 */
export function createReader(): (line: string) => readonly Character[] {
  const kinds = new Map<string, CharacterKind>();
  const find = (text: string): CharacterKind => {
    const kind = kinds.get(text) ?? ([...text].length === 1 ? kindOf(text) : "missing");
    kinds.set(text, kind);
    return kind;
  };
  return (line) => {
    const shown = line
      .replaceAll("\t", "    ")
      .replaceAll("\u{A5}", "\u{FFE5}")
      .normalize("NFC")
      .replaceAll(invisible, "");
    return Array.from(graphemes.segment(shown), ({ segment: text }) => ({ text, kind: find(text) }));
  };
}
