import type { ChatModel, ReplyPerson } from "@telex/core";
import { operator } from "@telex/core";
import { expect, it, vi } from "vitest";
import { start } from "./setup.ts";

/** A model that says whether it could ask the person about tools. */
function createListening() {
  const people: ReplyPerson[] = [];
  const model: ChatModel = {
    contextTokens: 8192,
    maxOutputTokens: 100,
    takesTools: true,
    countTokens: () => 1,
    async *reply({ person }) {
      if (person !== undefined) people.push(person);
      yield { kind: "delta", delta: "Well." };
      yield {
        kind: "end",
        finishReason: "stop",
        usage: { promptTokens: 1, completionTokens: 1, estimated: false },
      };
    },
  };
  return { people, model };
}

it("a model cannot ask about tools who mentions it through OneBot, and can ask the same person in the room", async () => {
  const { people, model } = createListening();
  const models = new Map([["m", model]]);
  const { telex, connect, groupId, say, bot, http } = await start({}, [], { models });
  const { id } = await telex.operator.users.add(operator, { nickname: "Echo", ai: "m" });
  await telex.operator.groups.amendMembers(operator, { groupId, add: [id] });
  const asked = async (count: number) => vi.waitUntil(() => people[count - 1]);
  const onSocket = await connect(11);
  await onSocket.ask("send_group_msg", { group_id: groupId, message: "@Echo hello" });
  expect(await asked(1)).toMatchObject({ place: "room", userId: bot.id });
  await fetch(`${http}/v11/send_group_msg`, {
    method: "POST",
    headers: { authorization: `Bearer ${bot.token}`, "content-type": "application/json" },
    body: JSON.stringify({ group_id: groupId, message: "@Echo hello" }),
  });
  await asked(2);
  await say(bot, "@Echo hello");
  await asked(3);
  expect(people.map(({ ask }) => ask !== undefined)).toEqual([false, false, true]);
});
