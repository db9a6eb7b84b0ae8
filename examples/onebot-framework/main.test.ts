import { expect, it } from "vitest";
import { command, listen, startExample } from "../support.ts";

it("answers the commands of its plug-ins in a room of Telex", async () => {
  const { url, token, groupId } = await startExample("onebot-framework");
  const frames = await listen(url, token);
  const say = { command: "sendGroupMessage", identifier: "1", groupId, groupType: 1, message: "/ping" };
  expect(await command(url, token, say)).toMatchObject({ type: "SendMessageResult", code: 200 });
  expect(await frames(1)).toMatchObject([
    {
      type: "GroupMessage",
      data: { nickname: "helper", content: expect.stringMatching(/^\[\{"reply":.*"text":"pong"/) as unknown },
    },
  ]);
});
