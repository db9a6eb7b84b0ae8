import { cpuTimeOf } from "@telex/conformance";
import { describe, expect, it } from "vitest";
import { fc } from "test-support/property";
import { readCqCodes, writeCqCodes } from "./cq.ts";

describe("a text with CQ codes", () => {
  it.each([
    [
      "[CQ:at,qq=7] hi",
      [
        { type: "at", data: { qq: "7" } },
        { type: "text", data: { text: " hi" } },
      ],
    ],
    ["[CQ:share,url=a?b=c&amp;d=&#91;1&#93;&#44;]", [{ type: "share", data: { url: "a?b=c&d=[1]," } }]],
    ["[CQ:dice]", [{ type: "dice", data: {} }]],
    ["a[CQ:at,qq]b", [{ type: "text", data: { text: "a[CQ:at,qq]b" } }]],
    ["[CQ:at,=7]", [{ type: "text", data: { text: "[CQ:at,=7]" } }]],
    ["[CQ:,qq=7]", [{ type: "text", data: { text: "[CQ:,qq=7]" } }]],
    [
      "[CQ:at,qq=[CQ:face,id=1]",
      [
        { type: "text", data: { text: "[CQ:at,qq=" } },
        { type: "face", data: { id: "1" } },
      ],
    ],
    ["", []],
  ])("%j is read", (text, segments) => {
    expect(readCqCodes(text)).toEqual(segments);
  });

  it("is read as it was written", () => {
    const text = fc.record({ type: fc.constant("text"), data: fc.record({ text: fc.string({ minLength: 1 }) }) });
    const name = fc.stringMatching(/^[a-z_]{1,8}$/);
    const other = fc.record({
      type: fc.stringMatching(/^[a-su-z]{1,8}$/),
      data: fc.dictionary(name, fc.string({ unit: "grapheme" }), { noNullPrototype: true }),
    });
    const message = fc.array(fc.tuple(other, text)).map((pairs) => pairs.flat());
    fc.assert(
      fc.property(message, (given) => {
        expect(readCqCodes(writeCqCodes(given))).toEqual(given);
      }),
    );
  });

  it.each([
    ["codes that do not end", "[CQ:at,qq="],
    ["codes that end late", "[CQ:a,b=c]"],
    ["parameters", ",b=c"],
    ["brackets", "["],
    ["escapes", "&amp;#91;"],
  ])("takes no longer for each character if it has many %s", async (_name, part) => {
    const timeOf = async (bytes: number): Promise<number> => {
      const text = part.repeat(Math.max(1, bytes / part.length));
      return (await cpuTimeOf(() => readCqCodes(text), 5)) / text.length;
    };
    await timeOf(100_000);
    expect(await timeOf(4_000_000)).toBeLessThan(10 * Math.max(await timeOf(200_000), 1e-3));
  });

  it("that is longer than a message may be is read until that is certain", () => {
    expect(readCqCodes("[CQ:face,id=1]".repeat(100_000))).toHaveLength(101);
    const [part] = readCqCodes("&amp;".repeat(1_000_000));
    expect(part?.data).toEqual({ text: "&".repeat(10_001) });
  });
});
