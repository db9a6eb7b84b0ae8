import { expect, test } from "vitest";
import { excerpt } from "./excerpt.ts";

const words = { image: "picture", file: "file", recalled: "recalled" };
const text = (said: string) => ({ text: { text: said } });

/** The excerpt as text, with its matches in brackets. */
const marked = (segments: readonly unknown[], matches: Parameters<typeof excerpt>[1]): string =>
  excerpt(JSON.stringify(segments), matches, words)
    .map((part) => (part.isMatch ? `<${part.text}>` : part.text))
    .join("");

test("matches are marked in the segments they belong to, also in the names of files", () => {
  const segments = [
    { at: { ext: "7", name: "Ben" } },
    text("see  the report"),
    { file: { relativePath: "ab/report.pdf" } },
  ];
  const matches = [
    { segment: 2, start: 0, end: 6 },
    { segment: 1, start: 9, end: 15 },
  ];
  expect(marked(segments, matches)).toBe("@Ben see the <report> [file] <report>.pdf");
});

test("matches that overlap or touch are marked once", () => {
  const matches = [
    { segment: 0, start: 2, end: 4 },
    { segment: 0, start: 0, end: 2 },
    { segment: 0, start: 3, end: 5 },
  ];
  expect(marked([text("abcdefg")], matches)).toBe("<abcde>fg");
});

test("an unknown segment keeps its index", () => {
  expect(marked([{ video: {} }, text("你好")], [{ segment: 1, start: 1, end: 2 }])).toBe("你<好>");
});

test("a long message is cut around its first match, and never through a character", () => {
  const before = `${"😀".repeat(100)} `;
  const said = marked([text(`${before}here${"x".repeat(1000)}`)], [{ segment: 0, start: 201, end: 205 }]);
  expect(said).toMatch(/^…(😀){23} <here>x+…$/u);
  expect(said.length).toBeLessThan(260);
});
