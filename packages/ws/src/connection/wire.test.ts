import { describe, expect, it } from "vitest";
import { encodePing, encodePong, encodeText } from "./wire.ts";

describe("a text frame", () => {
  it.each<[number, readonly number[]]>([
    [0, [0x81, 0]],
    [125, [0x81, 125]],
    [126, [0x81, 126, 0, 126]],
    [65_535, [0x81, 126, 0xff, 0xff]],
    [65_536, [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]],
  ])("of %i bytes has the header of RFC 6455 5.2", (length, header) => {
    const frame = encodeText("x".repeat(length));
    expect([...frame.subarray(0, header.length)]).toEqual(header);
    expect(frame.length).toBe(header.length + length);
  });

  it("counts bytes, not characters", () => {
    const frame = encodeText("字\u{1f600}");
    expect(frame[1]).toBe(7);
    expect(frame.subarray(2).toString("utf8")).toBe("字\u{1f600}");
  });
});

it("pings and pongs are control frames", () => {
  expect([...encodePing()]).toEqual([0x89, 0]);
  expect([...encodePong(Buffer.from("ab"))]).toEqual([0x8a, 2, 0x61, 0x62]);
});
