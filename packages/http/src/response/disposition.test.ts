import { character, fc } from "test-support/property";
import { describe, expect, it } from "vitest";
import { contentDisposition } from "./disposition.ts";

describe("a Content-Disposition", () => {
  it.each([
    ["plain.txt", 'attachment; filename="plain.txt"'],
    ["照片.png", "attachment; filename=\"__.png\"; filename*=UTF-8''%E7%85%A7%E7%89%87.png"],
    ['a"b\\c%41.txt', "attachment; filename=\"a_bc_41.txt\"; filename*=UTF-8''a%22bc%2541.txt"],
    ["../../etc/passwd", 'attachment; filename="....etcpasswd"'],
    ["..", 'attachment; filename="file"'],
    ["", 'attachment; filename="file"'],
    ["a\r\nset-cookie: x", 'attachment; filename="aset-cookie: x"'],
    ["exe.\u202etxt", 'attachment; filename="exe.txt"'],
    ["it's (a) *.txt", 'attachment; filename="it\'s (a) *.txt"'],
    ["\ud800x", "attachment; filename=\"_x\"; filename*=UTF-8''%EF%BF%BDx"],
  ])("for %j is %s", (name, expected) => {
    expect(contentDisposition("attachment", name)).toBe(expected);
  });

  it("is printable ASCII of bounded length for whatever name", () => {
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 400 }), (name) => {
        const value = contentDisposition("inline", name);
        expect(value).toMatch(/^inline; filename="[ !#-$&-[\]-~]+"(; filename\*=UTF-8''[\w!~.%-]+)?$/);
        expect(value.length).toBeLessThan(2200);
      }),
    );
  });
});
