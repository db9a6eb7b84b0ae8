import { expect, it } from "vitest";
import { incomingMessage } from "./incoming.ts";

const message = {
  account: "bot-1",
  messageId: "1",
  room: { kind: "group", ext: "7" },
  sender: { ext: "8" },
  createTime: 0,
  segments: [],
};

const isTaken = (changed: object): boolean => incomingMessage.safeParse({ ...message, ...changed }).success;

it.each([
  ["the name of the room", 128, (name: string) => ({ roomName: name })],
  ["the name of the sender", 128, (name: string) => ({ sender: { ext: "8", name } })],
  ["the ID of the sender", 64, (ext: string) => ({ sender: { ext } })],
  ["the ID of the account", 64, (account: string) => ({ account })],
  ["the ID of the message", 128, (messageId: string) => ({ messageId })],
  ["the text of a segment", 10_000, (text: string) => ({ segments: [{ type: "text", data: { text } }] })],
])("%s may have %i characters in a message of a network, and no more", (_field, most, fields) => {
  expect([isTaken(fields("x".repeat(most))), isTaken(fields("x".repeat(most + 1)))]).toEqual([true, false]);
});
