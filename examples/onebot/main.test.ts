import { expect, it, onTestFinished, vi } from "vitest";
import { call, command, listen, startExample } from "../support.ts";
import { createBot } from "./bot.ts";

const patience = { timeout: 10_000 };

const say = (groupId: number, message: string) => ({
  command: "sendGroupMessage",
  identifier: "1",
  groupId,
  groupType: 0,
  message,
});

it("sends what people say to the group, and shows them what is said there, also while the bot was away", async () => {
  const { url, token, groupId } = await startExample("onebot");
  expect(await command(url, token, say(groupId, "hello"))).toMatchObject({ type: "SendMessageResult", code: 300 });
  const bot = createBot();
  onTestFinished(() => bot.disconnect());
  const connect = () => bot.connect(url.replace("http", "ws"), "a-secret-of-your-own");
  const room = () => call(url, `/im/groups/${groupId}`, token);
  const isOnline = async (online: boolean) =>
    vi.waitFor(async () => expect(await room()).toMatchObject({ body: { data: { bot: { online } } } }), patience);
  await connect();
  await isOnline(true);
  const frames = await listen(url, token);
  bot.say(1001, "Grace", "tea is ready");
  expect(await frames(1)).toMatchObject([{ type: "GroupMessage", data: { nickname: "Grace", userId: "1001" } }]);
  expect(await command(url, token, say(groupId, "coming"))).toMatchObject({ type: "SendMessageResult", code: 200 });
  expect(bot.group.at(-1)).toMatchObject({ user_id: 9000, message: [{ type: "text", data: { text: "coming" } }] });

  bot.disconnect();
  await isOnline(false);
  bot.say(1002, "Hedy", "I am late");
  await connect();
  expect((await frames(2)).at(-1)).toMatchObject({ type: "GroupMessage", data: { nickname: "Hedy" } });
  expect(await call(url, `/im/getMessage?groupId=${groupId}&groupType=0`, token)).toMatchObject({
    body: { data: { groupMessages: [{ nickname: "Hedy" }, { nickname: "alice" }, { nickname: "Grace" }] } },
  });
  expect(await call(url, `/im/groups/${groupId}/members`, token)).toMatchObject({
    body: { data: { list: [{ nickname: "alice" }, { userId: null, ext: "1001" }, { ext: "1002" }, { ext: "9000" }] } },
  });
});
