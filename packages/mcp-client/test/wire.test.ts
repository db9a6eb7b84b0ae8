import { expect, it } from "vitest";
import { type Move, resultsOf } from "./scene.ts";
import { openSocket, openWire as open } from "./wire.ts";

const openChat = ({ url, token }: { readonly url: string; readonly token: string }) =>
  openSocket(url, `sseStream/webSocket/${token}`);

const removing: readonly Move[] = [{ tool: "files_remove", args: { path: "a" } }, "Done."];

it("a socket asks before a call, and its command answers", async () => {
  const kit = await open(removing);
  const chat = await openChat(kit);
  chat.send({ command: "chat", identifier: "q", content: "Remove it.", tools: true });
  const { data } = await chat.came("ChatToolRequest");
  expect(data).toMatchObject({ conversationId: 1, server: "files", tool: "remove", arguments: '{"path":"a"}' });
  chat.send({ command: "tool", identifier: "t", callId: data?.["callId"], allow: true });
  expect((await chat.came("ChatResult")).data).toMatchObject({ content: "Done." });
  expect((await chat.came("ChatTool")).data).toMatchObject({
    callId: data?.["callId"],
    name: "files.remove",
    ok: true,
  });
  expect(kit.lines()).toEqual(['remove {"path":"a"}']);
});

it("a socket that does not say that it can be asked gets no frame about tools", async () => {
  const kit = await open(removing);
  const chat = await openChat(kit);
  chat.send({ command: "chat", identifier: "q", content: "Remove it." });
  await chat.came("ChatResult");
  expect(chat.frames.map(({ type }) => type)).toEqual(["ChatDelta", "ChatResult"]);
  expect(kit.lines()).toEqual([]);
});

it("a stream asks before a call, and another request answers", async () => {
  const kit = await open(removing);
  const stream = await kit.call("/external/api/v1/sseStream/chat", { content: "Remove it.", tools: true });
  let text = "";
  for await (const piece of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const asks = text.includes("ChatToolRequest");
    text += piece;
    const [, callId] = /"callId":"([^"]+)"/.exec(text) ?? [];
    if (asks || callId === undefined) continue;
    const answered = await kit.call("/external/api/v1/sseStream/tool", { callId, allow: true });
    expect(answered.status).toBe(200);
  }
  const events = [...text.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name);
  expect(events).toEqual(["ChatToolRequest", "ChatTool", "ChatDelta", "ChatResult"]);
  expect(kit.lines()).toEqual(['remove {"path":"a"}']);
});

it("clients of OpenAI are never offered tools of the operator", async () => {
  const kit = await open(["Hello."]);
  const answer = await kit.call("/v1/chat/completions", { model: "m", messages: [{ role: "user", content: "Hi" }] });
  expect(answer.status).toBe(200);
  expect(kit.requests.map(({ tools }) => tools ?? [])).toEqual([[]]);
  expect(resultsOf(kit.requests[0]?.messages ?? [])).toEqual([]);
});
