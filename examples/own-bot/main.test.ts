import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { bodyOf, call, command, startExample, startServer } from "../support.ts";

const say = (groupId: number, message: unknown) => ({
  command: "sendGroupMessage",
  identifier: "1",
  groupId,
  groupType: 0,
  message,
});

/** The other network: keeps what it gets. */
async function startNetwork(answer: (response: ServerResponse) => void) {
  const got: unknown[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    got.push(await bodyOf(request));
    answer(response);
  };
  const url = await startServer((request, response) => void receive(request, response));
  return { got, url };
}

const messages = (groupId: number) => `/im/getMessage?groupId=${groupId}&groupType=0`;

describe("own-bot", () => {
  it("gives what is said in a room to the other network, and stores it then", async () => {
    const network = await startNetwork((response) => void response.writeHead(200, { "x-message-id": "m-1" }).end());
    const { url, token, groupId } = await startExample("own-bot", { WEBHOOK: network.url });
    const words = [
      { type: "at", data: { ext: "all" } },
      { type: "text", data: { text: "tea is ready" } },
    ];
    expect(await command(url, token, say(groupId, words))).toMatchObject({ type: "SendMessageResult", code: 200 });
    expect(network.got).toEqual([{ room: "room-7", text: "@everyone tea is ready" }]);
    expect(await call(url, messages(groupId), token)).toMatchObject({
      body: { data: { groupMessages: [{ id: "1" }] } },
    });
  });

  it("says so when the network is away or refuses, and stores nothing", async () => {
    const statuses = [503, 400];
    const network = await startNetwork((response) => void response.writeHead(statuses.shift() ?? 500).end());
    const { url, token, groupId } = await startExample("own-bot", { WEBHOOK: network.url });
    expect(await command(url, token, say(groupId, "hello"))).toMatchObject({ type: "SendMessageResult", code: 300 });
    expect(await command(url, token, say(groupId, "hello"))).toMatchObject({ type: "OperationFailed", code: 500 });
    expect(await call(url, messages(groupId), token)).toMatchObject({ body: { data: { groupMessages: [] } } });
  });
});
