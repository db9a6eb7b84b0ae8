import { describe, expect, it } from "vitest";
import { matchesTag, selectRange } from "./range.ts";

describe("a range", () => {
  it.each([
    ["bytes=0-0", { start: 0, end: 0 }],
    ["bytes=2-5", { start: 2, end: 5 }],
    ["bytes=8-99", { start: 8, end: 9 }],
    ["bytes=9-", { start: 9, end: 9 }],
    ["bytes=-3", { start: 7, end: 9 }],
    ["bytes=10-", "unsatisfiable"],
    ["bytes=-0", "unsatisfiable"],
    ["bytes=-10", "whole"],
    ["bytes=-99", "whole"],
    ["bytes=5-2", "whole"],
    ["bytes=-", "whole"],
    ["bytes=0-1,3-4", "whole"],
    ["bytes=a-b", "whole"],
    ["lines=0-1", "whole"],
    ["bytes=9999999999999999-", "whole"],
    [null, "whole"],
  ])("%s of ten bytes is %o", (header, expected) => {
    expect(selectRange(header, 10)).toEqual(expected);
  });

  it("of an empty file is not there, or the whole of it", () => {
    expect(selectRange("bytes=0-", 0)).toBe("unsatisfiable");
    expect(selectRange("bytes=-5", 0)).toBe("whole");
  });
});

it("a tag is found in a list, weak or not, and by a star", () => {
  expect(matchesTag('"a", W/"b"', '"b"')).toBe(true);
  expect(matchesTag("*", '"b"')).toBe(true);
  expect(matchesTag('"a"', '"b"')).toBe(false);
  expect(matchesTag(null, '"b"')).toBe(false);
});
