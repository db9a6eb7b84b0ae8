import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { z } from "zod";
import { call, command, listen, startExample } from "../support.ts";

const say = (groupId: number, message: string) => ({
  command: "sendGroupMessage",
  identifier: "1",
  groupId,
  groupType: 0,
  message,
});

const order = z.object({ action: z.string(), params: z.unknown(), echo: z.string() });

/** A bot as its owner would have configured it: it answers every action, and keeps what it was asked to send. */
async function connectBot(url: string) {
  const address = `${url.replace("http", "ws")}/onebot/v11/ws`;
  const headers = { "x-self-id": "9000", "x-client-role": "Universal", authorization: "Bearer a-secret-of-your-own" };
  const socket = new WebSocket(address, { headers });
  onTestFinished(() => socket.terminate());
  const sent: unknown[] = [];
  const asked = new Promise<void>((resolve) => {
    socket.on("message", (data: Buffer) => {
      const { action, params, echo } = order.parse(JSON.parse(data.toString()));
      if (action === "send_group_msg") sent.push(params);
      const answers: Record<string, unknown> = {
        send_group_msg: { message_id: 5 },
        get_status: { online: true, good: true },
      };
      const answer = answers[action] ?? { user_id: 9000, nickname: "bot" };
      socket.send(JSON.stringify({ status: "ok", retcode: 0, data: answer, echo }));
      resolve();
    });
  });
  await once(socket, "open");
  const message = (text: string) => ({
    post_type: "message",
    message_type: "group",
    message_id: 6,
    group_id: 20001,
    user_id: 1001,
    self_id: 9000,
    time: 1_700_000_000,
    sender: { nickname: "Grace" },
    message: text,
  });
  socket.send(
    JSON.stringify({
      post_type: "meta_event",
      meta_event_type: "lifecycle",
      sub_type: "connect",
      self_id: 9000,
      time: 1,
    }),
  );
  await asked;
  return { sent, tell: (text: string) => socket.send(JSON.stringify(message(text))) };
}

it("sends what people say to the group, and shows them what is said there", async () => {
  const { url, token, groupId } = await startExample("onebot");
  expect(await command(url, token, say(groupId, "hello"))).toMatchObject({ type: "SendMessageResult", code: 300 });
  const bot = await connectBot(url);
  const frames = await listen(url, token);
  bot.tell("[CQ:at,qq=all] tea is ready");
  expect(await frames(1)).toMatchObject([{ type: "GroupMessage", data: { nickname: "Grace", userId: "1001" } }]);
  expect(await command(url, token, say(groupId, "coming"))).toMatchObject({ type: "SendMessageResult", code: 200 });
  expect(bot.sent).toEqual([{ group_id: 20001, message: [{ type: "text", data: { text: "coming" } }] }]);
  expect(await call(url, `/im/getMessage?groupId=${groupId}&groupType=0`, token)).toMatchObject({
    body: { data: { groupMessages: [{ nickname: "alice" }, { nickname: "Grace" }] } },
  });
});
