import { expect, test } from "vitest";
import { findCode, findLinks, plainText, readContent, summarise } from "./content.ts";

const words = { image: "picture", file: "file", recalled: "recalled" };

test("every kind of segment is read", () => {
  const content = JSON.stringify([
    { reply: { id: "", messageId: "12" } },
    { at: { ext: "77", name: "小王" } },
    { text: { text: "see\n this" } },
    { image: { file: "ab.png", summary: "", sub_type: "0", file_size: "1" } },
    { file: { relativePath: "0123/年报.pdf", isEXT: "0" } },
    { file: { file: "elsewhere.txt" } },
  ]);
  const segments = readContent(content);
  expect(segments).toEqual([
    { kind: "reply", messageId: 12 },
    { kind: "at", ext: "77", name: "小王" },
    { kind: "text", text: "see\n this" },
    { kind: "image", file: "ab.png" },
    {
      kind: "file",
      name: "年报.pdf",
      url: `/downloadFile/${Buffer.from("0123/年报.pdf").toString("base64url")}/local/${encodeURIComponent("年报.pdf")}`,
    },
    { kind: "file", name: "elsewhere.txt", url: null },
  ]);
  expect(summarise(segments, words)).toBe("@小王 see this[picture][file] 年报.pdf [file] elsewhere.txt");
  expect(plainText(segments)).toBe("@小王see\n this");
});

test.each([
  ["0", "local"],
  ["1", "ext"],
])("a file with isEXT %s is downloaded from %s", (isEXT, place) => {
  const [file] = readContent(JSON.stringify([{ file: { relativePath: "ext/0123/a.txt", isEXT } }]));
  const path = Buffer.from("ext/0123/a.txt").toString("base64url");
  expect(file).toEqual({ kind: "file", name: "a.txt", url: `/downloadFile/${path}/${place}/a.txt` });
});

test.each(["", "null", "{}", "[1,null,[]]", '[{"unknown":{}}]', '[{"text":null}]', '[{"constructor":{}}]', "[{"])(
  "%s says nothing, and breaks nothing",
  (content) => {
    expect(readContent(content)).toEqual([]);
  },
);

test("URLs are found without the punctuation at the end of a sentence", () => {
  expect(findLinks("See https://a.example/b?c=1. 或者 http://x.example/，谢谢")).toEqual([
    { text: "See ", isLink: false },
    { text: "https://a.example/b?c=1", isLink: true },
    { text: ". 或者 ", isLink: false },
    { text: "http://x.example/", isLink: true },
    { text: "，谢谢", isLink: false },
  ]);
  expect(findLinks("javascript:alert(1) ftp://x")).toEqual([{ text: "javascript:alert(1) ftp://x", isLink: false }]);
});

test.each([
  ["plain", [["plain", false]]],
  [
    "run `ls -l` now",
    [
      ["run ", false],
      ["ls -l", true],
      [" now", false],
    ],
  ],
  [
    "one ` alone",
    [
      ["one ", false],
      ["` alone", false],
    ],
  ],
])("the code in %j is between backticks", (text, parts) => {
  expect(findCode(text).map((part) => [part.text, part.isCode])).toEqual(parts);
});
