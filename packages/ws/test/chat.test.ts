import type { ChatModel, Plugin } from "@telex/core";
import { echoModel, operator } from "@telex/core";
import { ticks, until } from "@telex/conformance/testing";
import { describe, expect, it } from "vitest";
import { type Client, open, type Running, startTelex } from "./harness.ts";

const path = "/external/api/v1/sseStream/webSocket";

async function stage(
  options: Parameters<typeof startTelex>[0] = {},
): Promise<Running & { connect: () => Promise<Client>; userId: number }> {
  const running = await startTelex(options);
  const { token, id } = await running.user("alice");
  return { ...running, userId: id, connect: () => open(`ws://127.0.0.1:${running.port}${path}/${token}`) };
}

/** A model that goes on until it is stopped. */
function createEndless() {
  const state = { produced: 0, aborted: 0 };
  const model: ChatModel = {
    ...echoModel,
    async *reply({ signal }) {
      try {
        for (;;) {
          await ticks(1);
          signal.throwIfAborted();
          state.produced += 1;
          yield { kind: "delta", delta: "x".repeat(1000) };
        }
      } finally {
        state.aborted += 1;
      }
    },
  };
  const plugin: Plugin = { name: "endless", models: new Map([["endless", model]]) };
  return { plugins: [plugin], state };
}

async function untilType(client: Client, type: string) {
  for (;;) {
    const frame = await client.next();
    if (frame.type === type) return frame;
  }
}

describe("the AI chat socket", () => {
  it("answers a chat piece by piece, then with its result", async () => {
    const { connect } = await stage();
    const client = await connect();
    client.send({ identifier: "q", command: "chat", content: "Hello world" });
    expect(await client.next()).toEqual({
      type: "ChatDelta",
      code: 200,
      identifier: "q",
      data: { conversationId: 1, delta: "Hello" },
    });
    expect(await client.next()).toMatchObject({ type: "ChatDelta", data: { delta: " world" } });
    expect(await client.next()).toEqual({
      type: "ChatResult",
      code: 200,
      identifier: "q",
      data: {
        conversationId: 1,
        content: "Hello world",
        usage: { promptTokens: 2, completionTokens: 2, totalTokens: 4, estimated: false },
        finishReason: "stop",
      },
      msg: "success",
    });
  });

  it("keeps a setting for its connection alone", async () => {
    const { connect } = await stage();
    const [one, two] = [await connect(), await connect()];
    one.send({ identifier: 1, command: "setting", maxOutputTokens: 1, systemPrompt: "be brief" });
    expect(await one.next()).toEqual({
      type: "SettingResult",
      code: 200,
      identifier: 1,
      data: { maxOutputTokens: 1, systemPrompt: "be brief" },
      msg: "success",
    });
    for (const client of [one, two]) client.send({ identifier: 2, command: "chat", content: "a b" });
    expect(await untilType(one, "ChatResult")).toMatchObject({ data: { content: "a", finishReason: "length" } });
    expect(await untilType(two, "ChatResult")).toMatchObject({ data: { content: "a b" } });
    one.send({ identifier: 3, command: "setting", maxOutputTokens: null });
    await one.next();
    one.send({ identifier: 4, command: "chat", content: "a b" });
    expect(await untilType(one, "ChatResult")).toMatchObject({ data: { content: "a b" } });
  });

  it("refuses a setting and a chat that are not valid", async () => {
    const { connect } = await stage();
    const client = await connect();
    for (const fields of [
      { command: "setting", maxOutputTokens: 0 },
      { command: "setting", model: "none" },
      { command: "chat" },
      { command: "chat", content: "" },
      { command: "chat", content: "x", conversationId: 99 },
    ]) {
      client.send({ identifier: "x", ...fields });
      expect(await client.next()).toMatchObject({ type: "OperationFailed", code: 500, identifier: "x" });
    }
  });

  it("says that the quota is used up", async () => {
    const { connect, telex, userId } = await stage();
    await telex.operator.quota.assign(operator, { userId, unit: "count", max: 1, period: "daily" });
    const client = await connect();
    client.send({ identifier: 1, command: "chat", content: "a" });
    await untilType(client, "ChatResult");
    client.send({ identifier: 2, command: "chat", content: "b" });
    const refused = await client.next();
    expect(refused).toMatchObject({ type: "OperationFailed", identifier: 2 });
    expect(refused.msg).toContain("配额");
  });

  it("says that the model failed, after the pieces that had come", async () => {
    const failing: ChatModel = {
      ...echoModel,
      async *reply() {
        await ticks(1);
        yield { kind: "delta", delta: "Hel" };
        throw new Error("The model is gone.");
      },
    };
    const plugins: Plugin[] = [{ name: "failing", models: new Map([["failing", failing]]) }];
    const { connect } = await stage({ plugins });
    const client = await connect();
    client.send({ identifier: "q", command: "chat", content: "Hello" });
    expect(await client.next()).toMatchObject({ type: "ChatDelta", identifier: "q", data: { delta: "Hel" } });
    expect(await client.next()).toMatchObject({ type: "OperationFailed", code: 500, identifier: "q" });
  });

  it("holds several conversations simultaneously, and stops the one that is meant", async () => {
    const { connect } = await stage(createEndless());
    const client = await connect();
    client.send({ identifier: "a", command: "chat", content: "one" });
    client.send({ identifier: "b", command: "chat", content: "two" });
    const ids = new Map<unknown, unknown>();
    while (ids.size < 2) {
      const { identifier, data } = await client.next();
      if (typeof data === "object" && data !== null && "conversationId" in data)
        ids.set(identifier, data.conversationId);
    }
    client.send({ identifier: "s", command: "stop", conversationId: ids.get("a") });
    expect(await untilType(client, "StopResult")).toMatchObject({ data: { stopped: 1 } });
    expect(await untilType(client, "ChatResult")).toMatchObject({ identifier: "a", data: { finishReason: "stopped" } });
    client.send({ identifier: "t", command: "stop" });
    expect(await untilType(client, "ChatResult")).toMatchObject({ identifier: "b", data: { finishReason: "stopped" } });
  });

  it("stops the model when its reader stops reading, and when it goes", async () => {
    const { plugins, state } = createEndless();
    const { connect } = await stage({ plugins });
    const client = await connect();
    client.send({ identifier: "a", command: "chat", content: "go" });
    await client.next();
    client.socket.pause();
    let last = -1;
    await until(() => {
      const still = state.produced === last;
      last = state.produced;
      return still && state.produced > 100;
    });
    expect(state.produced).toBeLessThan(20_000);
    client.socket.terminate();
    await until(() => state.aborted === 1);
  });
});
