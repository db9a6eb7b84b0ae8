/*
 * Replaces the package `entities`, which only markdown-it uses: all 2,125 names take 15 kB compressed. Models
 * write the characters themselves. Other names are not decoded.
 */
const names: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: "&",
    apos: "'",
    copy: "\u00a9",
    deg: "\u00b0",
    euro: "\u20ac",
    ge: "\u2265",
    gt: ">",
    hellip: "\u2026",
    larr: "\u2190",
    ldquo: "\u201c",
    le: "\u2264",
    lsquo: "\u2018",
    lt: "<",
    mdash: "\u2014",
    middot: "\u00b7",
    nbsp: "\u00a0",
    ndash: "\u2013",
    ne: "\u2260",
    quot: '"',
    rarr: "\u2192",
    rdquo: "\u201d",
    rsquo: "\u2019",
    times: "\u00d7",
  }),
);

const reference = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi;

const characterOf = (code: number): string =>
  code === 0 || code > 0x10ffff ? "\ufffd" : String.fromCodePoint(code).toWellFormed();

/** Replaces character references with their characters. */
export const decodeHTMLStrict = (text: string): string =>
  text.replace(reference, (whole, decimal?: string, hex?: string, name?: string) => {
    if (decimal !== undefined) return characterOf(Number(decimal));
    return hex === undefined ? (names.get(name ?? "") ?? whole) : characterOf(Number.parseInt(hex, 16));
  });
