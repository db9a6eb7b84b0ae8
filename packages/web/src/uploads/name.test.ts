import { expect, test } from "vitest";
import { markOf, nameOf } from "./name.ts";

const file_id = "0123456789abcdef0123456789abcdef";

test("a file without a stored name has the beginning of its id, and a picture its ending", () => {
  expect(nameOf({ file_id, name: "笔记.txt", url: `/api/file/${file_id}` })).toBe("笔记.txt");
  expect(nameOf({ file_id, name: "", url: `/api/file/${file_id}` })).toBe("01234567");
  expect(nameOf({ file_id, name: "", url: `/download/${file_id}.png` })).toBe("01234567.png");
});

test.each([
  ["notes.txt", "text/plain", "TXT"],
  ["archive.tar.gz", "application/gzip", "GZ"],
  ["README", "text/markdown", "MARK"],
  ["笔记", "", ""],
])("the mark of %s is by its name, otherwise by its type", (name, mime, mark) => {
  expect(markOf({ name, mime })).toBe(mark);
});
