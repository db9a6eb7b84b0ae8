import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { bodyOf, call, command, listen, startExample, startServer } from "../support.ts";

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

  it("shows what is said in the other network once, to everybody who listens and in the history", async () => {
    const network = await startNetwork((response) => void response.writeHead(200, { "x-message-id": "m-1" }).end());
    const { url, token, groupId, events } = await startExample("own-bot", { WEBHOOK: network.url, HOOK_PORT: "0" });
    const listeners = [await listen(url, token), await listen(url, token)];
    const post = async (event: unknown): Promise<number> => {
      const response = await fetch(events, { method: "POST", body: JSON.stringify(event) });
      return response.status;
    };
    const seconds = 1_700_000_000.123;
    const question = { id: "x-1", room: "room-7", user: "U42", name: "Grace", text: "is there tea?", seconds };
    expect([await post(question), await post(question)]).toEqual([204, 204]);
    expect(await command(url, token, say(groupId, "there is"))).toMatchObject({ code: 200 });
    const echo = { id: "m-1", room: "room-7", user: "webhook", name: "Telex", text: "there is", seconds };
    expect(await post(echo)).toBe(204);
    expect(await post({ ...question, id: "x-2", text: "thanks" })).toBe(204);
    expect([await post("nonsense"), await post({ ...question, id: "" })]).toEqual([400, 400]);
    const heard = { type: "GroupMessage", data: { nickname: "Grace", createTime: 1_700_000_000_123 } };
    for (const frames of listeners) expect(await frames(2)).toMatchObject([heard, heard]);
    const texts = ["thanks", "there is", "is there tea?"].map((text) => ({
      content: JSON.stringify([{ text: { text } }]),
    }));
    expect(await call(url, messages(groupId), token)).toMatchObject({ body: { data: { groupMessages: texts } } });
  });
});
