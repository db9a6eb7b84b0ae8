import { expect, test } from "vitest";
import type { MemberView } from "./api.ts";
import { findMentions, isMeant, typedMention } from "./mention.ts";

const member = (nickname: string, nicknamePinyin = nickname, card: string | null = null): MemberView => ({
  userId: "1",
  ext: "",
  role: "member",
  nickname,
  nicknamePinyin,
  card,
  avatar: "",
  online: false,
});

const zhang = member("张三", "zhang1 san1");

test.each([
  [zhang, "张"],
  [zhang, "zh"],
  [zhang, "zhangs"],
  [zhang, "zs"],
  [zhang, "ZhangSan"],
  [member("Ada Lovelace"), "love"],
  [member("Élodie"), "elo"],
  [member("李四", "li3 si4", "Chef"), "chef"],
  [member("李四", "li3 si4", "Chef"), "ls"],
  [member("Ada"), ""],
])("$0.nickname is meant by %s", (given, typed) => {
  expect(isMeant(given, typed)).toBe(true);
});

test.each([
  [zhang, "san"],
  [zhang, "zha3"],
  [zhang, "zsx"],
  [member("Ada"), "b"],
])("%o is not meant by %s", (given, typed) => {
  expect(isMeant(given, typed)).toBe(false);
});

test.each([
  ["hello @zh", 9, { at: 6, query: "zh" }],
  ["@", 1, { at: 0, query: "" }],
  ["你好@张", 4, { at: 2, query: "张" }],
  ["ada@example", 11, null],
  ["@zhang san", 10, null],
  ["@zhang", 3, { at: 0, query: "zh" }],
])("in %j, with the caret at %i, %j is being typed", (text, caret, typing) => {
  expect(typedMention(text, caret)).toEqual(typing);
});

test("names in a text are mentions: the longest, and whole words only", () => {
  const ada = member("Ada");
  const adaByron = member("Ada Byron");
  const parts = findMentions("@Ada Byron and @Ada, not @Adam or a@Ada", [ada, adaByron]);
  expect(parts.map(({ text, member: who }) => [text, who?.nickname ?? null])).toEqual([
    ["@Ada Byron", "Ada Byron"],
    [" and ", null],
    ["@Ada", "Ada"],
    [", not @Adam or a@Ada", null],
  ]);
});
