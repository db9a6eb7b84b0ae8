import { fc } from "test-support/property";
import { describe, expect, it } from "vitest";
import { mayMention, mentionedIn } from "./mentions.ts";

const members = (...names: readonly string[]) =>
  names.map((name, index) => ({ userId: index + 1, ext: null, names: [name] }));

/** The names of those whom a text mentions. */
const named = (text: string, ...names: readonly string[]): string[] =>
  mentionedIn([{ text: { text } }], members(...names)).flatMap((member) => member.names);

describe("a name in a text", () => {
  it.each([
    ["@Echo", "at its end"],
    ["@Echo hello", "before a space"],
    ["hello @Echo, and you?", "before a comma"],
    ["你好@Echo，在吗", "after and before what is no space"],
    ["(@Echo)", "in brackets"],
    ["@@Echo", "after another @"],
    ["@Echo@Echo", "before another one"],
    ["@Echo's", "before an apostrophe"],
    ["one\n@Echo\nthree", "on a line of its own"],
  ])("mentions who has it: %s (%s)", (text) => {
    expect(named(text, "Echo")).toEqual(["Echo"]);
  });

  it.each([
    ["Echo", "without an @"],
    ["@echo", "in other letters"],
    ["@ Echo", "apart from its @"],
    ["@Echos", "in a longer word"],
    ["@Echo_2", "before a line"],
    ["@Echo7", "before a digit"],
    ["@Echo你好", "before a letter of another script"],
    ["@Echo\u0301", "before an accent"],
    ["alice@Echo.example", "in an address"],
  ])("mentions nobody: %s (%s)", (text) => {
    expect(named(text, "Echo")).toEqual([]);
  });

  it("may be of any characters, and stands for no others", () => {
    for (const name of ["小助手", "🤖", "👩‍🔬 Dr. Ada", "a.b*c (d) [e]\\", "José", "$&", "O'Neil", "-", "7"]) {
      expect(named(`hi @${name}!`, name)).toEqual([name]);
    }
    expect(named("@axb", "a.b")).toEqual([]);
    expect(named("@👩‍🔬", "👩")).toEqual([]);
    expect(named("@👍🏽", "👍")).toEqual([]);
  });

  it("is the longest one that fits", () => {
    expect(named("@Echo Two hello", "Echo", "Echo Two")).toEqual(["Echo Two"]);
    expect(named("@Echo Twofold", "Echo", "Echo Two")).toEqual(["Echo"]);
    expect(named("@Echo @Echo Two", "Echo", "Echo Two")).toEqual(["Echo", "Echo Two"]);
  });

  it("mentions everybody who has it", () => {
    expect(named("@Echo", "Echo", "Echo", "Other")).toEqual(["Echo", "Echo"]);
  });

  it("is found wherever there is space around it", () => {
    const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(name, fc.string({ unit: "grapheme" }), (called, text) => {
        expect(named(`${text} @${called} ${text}`, called)).toEqual([called]);
      }),
    );
  });
});

/** The same rule as a regular expression, which took 300 ms for the names of a room of 10,000 people. */
function mentionedByPattern(text: string, names: readonly string[]): string[] {
  const literally = (name: string): string => name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  const longestFirst = names.toSorted((a, b) => b.length - a.length).map(literally);
  const pattern = new RegExp(`(?<!\\w)@(${longestFirst.join("|")})(?![\\p{L}\\p{M}\\p{N}\\p{EMod}_\\u200D])`, "gu");
  const found = new Set([...text.matchAll(pattern)].map(([, name]) => name));
  return names.filter((name) => found.has(name));
}

it("names in texts are those that a regular expression of all of them finds", () => {
  const few = fc.constantFrom(
    "@",
    "a",
    "b",
    "@a",
    " ",
    "_",
    "7",
    ".",
    "é",
    "e\u0301",
    "👩",
    "👩‍🔬",
    "👍",
    "🏽",
    "\u200D",
    "你",
    "\n",
  );
  const part = fc.oneof({ arbitrary: few, weight: 9 }, fc.string({ unit: "grapheme", maxLength: 2 }));
  const textOf = (minLength: number, maxLength: number) =>
    fc
      .array(part, { minLength, maxLength })
      .map((parts) => parts.join(""))
      .filter((text) => text.length >= minLength);
  fc.assert(
    fc.property(fc.array(textOf(1, 4), { minLength: 1, maxLength: 12 }), textOf(0, 30), (names, text) => {
      const all = [text, names.map((name) => `@${name}`).join(text.slice(0, 2)), `${text}@${names.join("@")}`];
      for (const one of all) expect(named(one, ...names)).toEqual(mentionedByPattern(one, names));
    }),
  );
});

describe("a segment that mentions", () => {
  const echo = { userId: 1, ext: "7001", names: ["Echo"] };
  const all = { userId: 2, ext: "all", names: ["All"] };

  it("means who has the ID of the external network, whatever the name in it", () => {
    expect(mentionedIn([{ at: { ext: "7001", name: "somebody" } }], [echo, all])).toEqual([echo]);
    expect(mentionedIn([{ at: { ext: "7002", name: "Echo" } }], [echo, all])).toEqual([]);
    expect(mentionedIn([{ image: { file: "" } }, {}], [echo, { userId: 3, ext: null, names: ["Other"] }])).toEqual([]);
  });

  it("means the user whose id it has, and nobody else of that name", () => {
    const [first, second] = [3, 4].map((userId) => ({ userId, ext: null, names: ["Kim"] }));
    const both = [first, second].flatMap((member) => member ?? []);
    expect(mentionedIn([{ at: { ext: "", name: "Kim", userId: "4" } }], both)).toEqual([second]);
    expect(mentionedIn([{ at: { ext: "", name: "Kim" } }], both)).toEqual([]);
  });

  it("means nobody where it means everybody", () => {
    expect(mentionedIn([{ at: { ext: "all", name: "全体成员" } }], [echo, all])).toEqual([]);
  });

  it("together with a text means each member once", () => {
    expect(mentionedIn([{ at: { ext: "7001", name: "Echo" } }, { text: { text: "@Echo @Echo" } }], [echo])).toEqual([
      echo,
    ]);
  });
});

it("what mentions nobody is told from its stored form", () => {
  const stored = (...segments: readonly object[]) => mayMention(JSON.stringify(segments));
  expect(stored({ text: { text: 'hello {"at":' } })).toBe(false);
  expect(stored({ text: { text: "@" } })).toBe(true);
  expect(stored({ reply: { id: "", messageId: "1" } }, { at: { ext: "1", name: "" } })).toBe(true);
});
