import { expect, it } from "vitest";
import { createTalk } from "../terminal/talk.ts";
import { readTyped } from "./typed.ts";

it("reads no line of stdin if it was stopped before it began", async () => {
  const read: string[] = [];
  await readTyped(async (line) => void read.push(line), AbortSignal.abort(), createTalk({}));
  expect(read).toEqual([]);
});
