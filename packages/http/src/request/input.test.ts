import { TelexError } from "@telex/core";
import { teleprinterContract } from "@telex/core/contract";
import { fc } from "test-support/property";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createTextReader } from "./input.ts";

const schema = z.object({
  text: z.string(),
  count: z.int().default(1),
  maybe: z.int().optional(),
  kind: z.literal([0, 1, 5]),
  id: z.union([z.int(), z.string()]),
  force: z.boolean().optional(),
});
const reader = createTextReader(schema);
const read = (search: string, params: Record<string, string> = {}) => reader.values(reader.parse(search), params);

const issuesOf = (search: string): unknown => {
  try {
    return read(search);
  } catch (error) {
    return TelexError.is(error) ? error.issues?.map(({ path, problem }) => `${path} ${problem}`) : error;
  }
};

describe("a query", () => {
  it("gives numbers where the schema has numbers, and text elsewhere", () => {
    expect(read("?text=12&count=12&maybe=-3&kind=5&id=7")).toEqual({
      text: "12",
      count: 12,
      maybe: -3,
      kind: 5,
      id: "7",
    });
  });

  it.each(["", "+1", "01", "1.0", "1e3", "0x1", " 1", "1 ", "-0", "١", "99999999999999999", "true"])(
    "has no number %j",
    (text) => {
      expect(issuesOf(`?count=${encodeURIComponent(text)}`)).toEqual(["count integer"]);
    },
  );

  it("tells every number that is wrong", () => {
    expect(issuesOf("?count=x&kind=y&text=z")).toEqual(["count integer", "kind integer"]);
  });

  it("gives booleans for true and false, and leaves other words to the schema", () => {
    expect(read("?force=true&text=true")).toEqual({ force: true, text: "true" });
    expect(read("?force=false")).toEqual({ force: false });
    expect(read("?force=1")).toEqual({ force: "1" });
  });

  it("is decoded strictly", () => {
    expect(read("?text=a%20b+c%3D%26=%E7%85%A7")).toEqual({ text: "a b c=&=照" });
    for (const search of ["?text=%", "?text=%zz", "?text=%ff", "?%ff=1", "?text=%ed%a0%80"]) {
      expect(() => read(search)).toThrow("query_malformed");
    }
  });

  it("gives one value to a name", () => {
    expect(() => read("?text=a&text=a")).toThrow("query_repeated");
    expect(() => read("?text=a&te%78t=b")).toThrow("query_repeated");
    expect(() => read("?access_token=a&access_token=a")).toThrow("query_repeated");
  });

  it("may have parameters that nobody knows", () => {
    expect(read("?other=1&other=2&__proto__=x&&=&text=a")).toEqual({ text: "a" });
  });

  it("gives way to the path", () => {
    expect(read("?text=a", { text: "%2Fb", stray: "c" })).toEqual({ text: "/b" });
  });

  it("brings every text through unchanged", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(read(`?text=${encodeURIComponent(text)}`)).toEqual({ text });
        expect(read(`?${new URLSearchParams({ text }).toString()}`)).toEqual({ text });
      }),
    );
  });
});

it("an id of a contract stays text, so that it is never rounded", () => {
  const poll = createTextReader(teleprinterContract.poll.input);
  expect(poll.values(poll.parse("?ack=9007199254740993&limit=3"), {})).toEqual({ ack: "9007199254740993", limit: 3 });
});
