import { expect, it } from "vitest";
import type { AnsweringModels } from "../ai/answers.ts";
import { echoModel } from "../ai/model.ts";
import { newGroup, newMember, type Room } from "../records/groups.ts";
import { person } from "@telex/conformance";
import { silentLogger } from "@telex/ground/log";
import { systemClock } from "@telex/ground/time";
import { defaultLimits } from "../instance/limits.ts";
import { createRoomAnswering } from "./answering.ts";
import type { MessageRecord } from "../records/messages.ts";

const echo = { userId: 3, ...person({ nickname: "Echo", ai: "echo" }) };

const question: MessageRecord = {
  id: 8,
  groupId: 1,
  seq: 8,
  userId: "2",
  external: false,
  type: 0,
  content: '[{"text":{"text":"@Echo hello"}}]',
  pinyin: "",
  nickname: "Ada",
  nicknamePinyin: "Ada",
  createTime: 0,
  receiveTime: 0,
  botMessageId: null,
  notice: null,
  mentions: null,
  extras: null,
  changed: 0,
};

const room: Room = {
  group: {
    groupId: 1,
    ...newGroup({ groupType: 0, name: "Room", ext: "900", bot: null, avatar: null, createdAt: 0 }),
  },
  members: new Map([2, 3].map((userId) => [userId, newMember(userId, 0)])),
};

const answering: AnsweringModels = {
  assert() {},
  async *answer(asker, modelName, listen) {
    const said = await listen({ modelName, model: echoModel, maxOutputTokens: 100 });
    if (said !== null) yield `${modelName} for ${asker}: ${said.at(-1)?.content ?? ""}`;
  },
};

/**
 * Lets this be said in a room with a model; everything that is sent there as an answer.
 * @param stored what the room has of it when the model is to answer
 */
async function answersTo(asked: MessageRecord, stored: MessageRecord = asked): Promise<object[]> {
  const sent: object[] = [];
  const over = Promise.withResolvers<void>();
  let running = 0;
  const answer = createRoomAnswering({
    store: {
      findMessage: async () => stored,
    },
    rooms: () => ({ page: async () => [], find: async () => null, readPicture: async () => null }),
    listModels: async () => [echo],
    answering,
    clock: systemClock,
    limits: defaultLimits,
    locale: "en",
    log: silentLogger,
    send: async (userId, { groupId }, message) => sent.push({ userId, groupId, message }),
    begin() {
      running += 1;
      return () => {
        running -= 1;
        if (running === 0) over.resolve();
      };
    },
  });
  answer(asked, room);
  if (running > 0) await over.promise;
  return sent;
}

it("a user who mentions a model is answered as that model, in reply to the question", async () => {
  const reply = { type: "reply", data: { messageId: 8 } };
  expect(await answersTo(question)).toEqual([
    { userId: 3, groupId: 1, message: [reply, { type: "text", data: { text: "echo for 2: Ada: @Echo hello" } }] },
  ]);
});

it("somebody of an external network, who has no quota here, is not answered", async () => {
  expect(await answersTo({ ...question, external: true })).toEqual([]);
  expect(await answersTo({ ...question, external: true, userId: "3" })).toEqual([]);
});

it("a model is not answered", async () => {
  expect(await answersTo({ ...question, userId: "3" })).toEqual([]);
});

it("a question that was recalled before its turn is neither shown to the model nor answered", async () => {
  expect(await answersTo(question, { ...question, content: '[{"text":{"text":"[消息已撤回]"}}]' })).toEqual([]);
});
