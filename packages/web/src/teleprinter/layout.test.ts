import { expect, test } from "vitest";
import { layOut } from "./layout.ts";
import { print, type Texts } from "./state/message.ts";

const hour = 3_600_000;
const noon = new Date(2026, 10, 20, 12).getTime();
const texts = (from: number, to: number, at: (id: number) => number = () => noon): Texts =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index).map((id) =>
    print({
      id,
      deviceId: "kitchen",
      direction: "to_device",
      content: "",
      delivered: 1,
      createdAt: new Date(at(id)).toISOString(),
    }),
  );

test("each day in the viewer's zone is a sheet", () => {
  const sheets = layOut(
    texts(1, 4, (id) => noon + id * 8 * hour),
    0,
  );
  expect(sheets.map(({ parts }) => parts.flatMap(({ messages }) => messages.map(({ id }) => id)))).toEqual([
    [1],
    [2, 3, 4],
  ]);
});

test("parts keep their texts when older and newer texts are added", () => {
  const before = layOut(texts(101, 220), 0);
  const after = layOut(texts(31, 221), 70);
  const part = before[0]?.parts[1];
  expect(part?.messages).toHaveLength(50);
  const same = after[0]?.parts.find(({ key }) => key === part?.key);
  expect(same?.messages.map(({ id }) => id)).toEqual(part?.messages.map(({ id }) => id));
});

test("no two parts have the same key", () => {
  const keys = layOut(texts(1, 500), 123).flatMap(({ parts }) => parts.map(({ key }) => key));
  expect(new Set(keys).size).toBe(keys.length);
});
