/** One printed line. */
export interface PrintedLine {
  readonly text: string;
  readonly isBold: boolean;
  /** The factors of width and height. */
  readonly size: readonly [number, number];
}

/** The print on paper. */
export interface Sheet {
  readonly lines: readonly PrintedLine[];
  /** Rows of `#` and `.`. */
  readonly pictures: readonly (readonly string[])[];
  readonly codes: readonly string[];
  readonly cuts: number;
}

/** The upper halves of the code pages of Epson by their numbers, as the standard names them; the texts are those of Python's codecs. */
const pages: Readonly<Record<number, string>> = {
  0: "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■ ",
  13: "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈ€ÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´­±‗¾¶§÷¸°¨·¹³²■ ",
  19: "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈ€ÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´­±‗¾¶§÷¸°¨·¹³²■ ",
};

const gb18030 = new TextDecoder("gb18030", { fatal: true });

/**
 * Decodes ESC/POS according to Epson's command reference, independently of the encoder.
 * @param columns characters of a line: a longer one is an error
 * @throws Error for a command that it does not know, or that is cut off at the end
 */
export function decodeSheet(bytes: Uint8Array, columns: number): Sheet {
  const lines: PrintedLine[] = [];
  const pictures: string[][] = [];
  const codes: string[] = [];
  let [cuts, at, page, isBold, isChinese, stored, text, width] = [0, 0, 0, false, false, "", "", 0];
  let size: readonly [number, number] = [1, 1];
  /** The style of the first character of the line. */
  let style = { isBold, size };
  const next = (): number => {
    const byte = bytes[at];
    if (byte === undefined) throw new Error("The bytes end in a command.");
    at += 1;
    return byte;
  };
  const take = (length: number): Uint8Array => {
    if (at + length > bytes.length) throw new Error("The bytes end in a command.");
    at += length;
    return bytes.subarray(at - length, at);
  };
  const number = (): number => next() + 256 * next();
  const put = (shown: string, cells: number): void => {
    if (text === "") style = { isBold, size };
    text += shown;
    width += cells * size[0];
    if (width > columns) throw new Error(`A line has more than ${columns} columns: ${text}`);
  };
  const feed = (): void => {
    if (text !== "") lines.push({ text, ...style });
    [text, width] = ["", 0];
  };
  const escape: Readonly<Record<string, () => void>> = {
    "@": () => ([page, isBold, isChinese, size] = [0, false, false, [1, 1]]),
    M: () => void next(),
    E: () => (isBold = (next() & 1) === 1),
    "-": () => void next(),
    a: () => void next(),
    t: () => (page = next()),
  };
  const chinese: Readonly<Record<string, () => void>> = {
    "&": () => (isChinese = true),
    ".": () => (isChinese = false),
  };
  const raster = (): void => {
    if (next() !== 0x30 || next() !== 0) throw new Error("An unknown kind of raster.");
    const [across, rows] = [number(), number()];
    pictures.push(
      Array.from({ length: rows }, () =>
        Array.from(take(across), (byte) => byte.toString(2).padStart(8, "0"))
          .join("")
          .replaceAll("1", "#")
          .replaceAll("0", "."),
      ),
    );
  };
  const symbol = (): void => {
    const body = take(number());
    const [kind, command] = body;
    if (kind !== 0x31) throw new Error("A code that is no QR code.");
    if (command === 0x50) stored = new TextDecoder().decode(body.subarray(3));
    if (command === 0x51) codes.push(stored);
  };
  const group: Readonly<Record<string, () => void>> = {
    "!": () => {
      const sizes = next();
      size = [(sizes >> 4) + 1, (sizes & 7) + 1];
    },
    V: () => {
      if (next() > 1) next();
      cuts += 1;
    },
    v: raster,
    "(": () => {
      if (next() !== 0x6b) throw new Error("An unknown group.");
      symbol();
    },
  };
  const command = (table: Readonly<Record<string, () => void>>, name: string): void => {
    const key = String.fromCharCode(next());
    const run = table[key];
    if (run === undefined) throw new Error(`An unknown command: ${name} ${key}`);
    run();
  };
  const character = (byte: number): void => {
    if (byte < 0x20) throw new Error(`An unknown control character: ${byte}`);
    if (byte < 0x80) put(String.fromCharCode(byte), 1);
    else if (isChinese) put(gb18030.decode(Uint8Array.of(byte, next())), 2);
    else put(pages[page]?.charAt(byte - 0x80) ?? `<page ${page}>`, 1);
  };
  while (at < bytes.length) {
    const byte = next();
    if (byte === 0x0a) feed();
    else if (byte === 0x0d) continue;
    else if (byte === 0x1b) command(escape, "ESC");
    else if (byte === 0x1c) command(chinese, "FS");
    else if (byte === 0x1d) command(group, "GS");
    else character(byte);
  }
  if (text !== "") throw new Error(`A line without an end: ${text}`);
  return { lines, pictures, codes, cuts };
}
