import { expect, test } from "vitest";
import { uploadName } from "../blobs/names.ts";
import { kindOf, shownKind } from "./kinds.ts";

const latin1 = (text: string): Uint8Array => Buffer.from(text, "latin1");

test.each([
  ["text", Buffer.from("笔记：明天开会 <script>")],
  ["text", Buffer.from("笔记".repeat(90)).subarray(0, 512)],
  ["text", latin1("\xff\xfeh\0i\0")],
  ["text", Buffer.from("\x1b[31mred\x1b[0m\r\n")],
  ["audio", latin1("ID3\x04\0\0\0")],
  ["audio", latin1("OggS\0\x02\0\0OpusHead")],
  ["audio", latin1("RIFF\x24\0\0\0WAVEfmt ")],
  ["audio", latin1("\0\0\0\x20ftypM4A \0\0")],
  ["video", latin1("OggS\0\x02\0\0\x80theora")],
  ["video", latin1("\0\0\0\x20ftypisom\0\0")],
  ["video", latin1("\x1aE\xdf\xa3\x01\0")],
  ["video", latin1("RIFF\x24\0\0\0AVI LIST")],
  ["archive", latin1("PK\x03\x04\x14\0\0\0notes.txt")],
  ["archive", latin1("\x1f\x8b\x08\0")],
  ["archive", latin1(`notes.txt${"\0".repeat(248)}ustar\x0000`)],
  ["other", latin1("PK\x03\x04\x14\0\x06\0[Content_Types].xml")],
  ["other", latin1("%PDF-1.7\n")],
  ["other", latin1("\x7fELF\x02\x01")],
  ["other", latin1("caf\xe9 is not UTF-8 here")],
  ["other", latin1("a\0b")],
  ["other", latin1("")],
] as const)("the kind is %s by the first bytes, case %#", (kind, head) => {
  expect(kindOf(head)).toBe(kind);
});

test("an upload of an earlier version has the kind of its content, or of the type that a client named", () => {
  const old = { kind: "", ext: "", mime: "application/zip" };
  expect(shownKind({ ...old, ext: "png", mime: "image/png" })).toBe("picture");
  expect(shownKind({ ...old, mime: "audio/ogg" })).toBe("audio");
  expect([shownKind(old), shownKind({ ...old, mime: "image/svg+xml" })]).toEqual(["other", "other"]);
  expect(shownKind({ ...old, kind: "text", mime: "audio/ogg" })).toBe("text");
});

test.each([
  ["报告 2026.pdf", "报告 2026.pdf"],
  ["C:\\fakepath\\photo.jpg", "photo.jpg"],
  ["../../etc/passwd", "passwd"],
  ["..", "file"],
  ["a/", "file"],
  ["\u202Egpj.exe", "_gpj.exe"],
  ["a\r\nb\0.txt", "a__b_.txt"],
  ["<b>bold</b>.html", "b_.html"],
  [`${"a".repeat(10_000)}.tar.gz`, `${"a".repeat(117)}.gz`],
  [`${"😀".repeat(5000)}.txt`, `${"😀".repeat(116)}.txt`],
  [`a.${"b".repeat(10_000)}`, `a.${"b".repeat(118)}`],
  ["\ud800.txt", "\ufffd.txt"],
])("the name of an upload is kept without what misleads, case %#", (name, kept) => {
  expect(uploadName(name)).toBe(kept);
});
