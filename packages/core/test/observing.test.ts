import { describe, expect, it } from "vitest";
import { echoModel } from "../src/ai/model.ts";
import { definePlugin, type ObservedBlob, type ObservedReply, type Observer, operator } from "../src/index.ts";
import { ticks } from "@telex/conformance/testing";
import { createConnection, createKit, type Kit } from "./kit.ts";

const observing = (name: string, observer: Observer) => definePlugin({ name, observer });

const heartbeat = (kit: Kit) => kit.telex.teleprinter.heartbeat(kit.alice, { deviceId: "printer" });

const ask = async (kit: Kit, content: string, model = "echo"): Promise<void> => {
  for await (const _ of await kit.telex.ai.chat(kit.alice, { content, model }));
};

describe("an observer", () => {
  it("sees each call once with the trace of its caller, however it ends, and does not change it", async () => {
    const seen: string[] = [];
    const plugin = observing("calls", {
      async call({ operation, trace }, run) {
        const [settled] = await Promise.allSettled([run()]);
        seen.push(`${operation} ${trace?.traceparent ?? "none"} ${settled.status}`);
        if (settled.status === "rejected") throw settled.reason;
        return settled.value;
      },
    });
    const kit = await createKit({ plugins: [plugin] });
    seen.length = 0;
    const trace = { traceparent: "00-1-2-01", tracestate: null };
    await kit.telex.teleprinter.register(kit.alice, { deviceId: "printer", name: "P" }, { trace });
    await expect(kit.telex.call("teleprinter.heartbeat", kit.bob, { deviceId: "printer" })).rejects.toMatchObject({
      code: "not_owner",
    });
    expect(seen).toEqual(["teleprinter.register 00-1-2-01 fulfilled", "teleprinter.heartbeat none rejected"]);
  });

  it("stands around those of later plug-ins, and all of them see the same", async () => {
    const seen: string[] = [];
    const named = (name: string) =>
      observing(name, {
        async call(_call, run) {
          seen.push(`${name} begins`);
          const result = await run();
          seen.push(`${name} ends`);
          return result;
        },
        fanOut: (receivers) => seen.push(`${name} ${receivers}`),
      });
    const kit = await createKit({ plugins: [named("a"), named("b"), named("c")] });
    seen.length = 0;
    await kit.telex.ai.quota(kit.alice, {});
    expect(seen).toEqual(["a begins", "b begins", "c begins", "c ends", "b ends", "a ends"]);
    seen.length = 0;
    await kit.telex.messages.send(kit.alice, { groupId: kit.room, groupType: 1, message: "hello" });
    await ticks();
    expect(seen.filter((line) => line.endsWith("0"))).toEqual(["a 0", "b 0", "c 0"]);
  });

  it("sees replies with their tokens, and why they ended", async () => {
    const replies: ObservedReply[] = [];
    const failing = {
      ...echoModel,
      reply: () => {
        throw new Error("gone");
      },
    };
    const models = new Map([
      ["echo", echoModel],
      ["failing", failing],
    ]);
    const kit = await createKit({ models, plugins: [observing("replies", { reply: (reply) => replies.push(reply) })] });
    await ask(kit, "one two three");
    await expect(ask(kit, "x", "failing")).rejects.toMatchObject({ code: "ai_unavailable" });
    const [first, second] = replies;
    expect(first).toMatchObject({ model: "echo", finish: "stop", ms: 0 });
    expect(first?.completionTokens).toBeGreaterThan(0);
    expect(second).toMatchObject({ model: "failing", finish: "failed" });
    expect(replies).toHaveLength(2);
  });

  it("sees what is done with the bytes of files, and what fails", async () => {
    const seen: ObservedBlob[] = [];
    const kit = await createKit({ plugins: [observing("blobs", { blob: (blob) => seen.push(blob) })] });
    const file = { name: "a.txt", mime: "text/plain", bytes: [Buffer.from("hello")] };
    async function* bytes(content: readonly Uint8Array[]) {
      yield* content;
    }
    await kit.telex.bucket.upload(kit.alice, { file: { ...file, bytes: bytes(file.bytes) } });
    async function* broken() {
      yield Buffer.from("hel");
      throw new Error("the sender went away");
    }
    await expect(kit.telex.bucket.upload(kit.alice, { file: { ...file, bytes: broken() } })).rejects.toThrow(
      "the sender went away",
    );
    expect(seen.filter(({ verb }) => verb === "put").map(({ outcome, bytes: size }) => [outcome, size])).toEqual([
      ["ok", 5],
      ["internal", 3],
    ]);
  });
});

describe("figures", () => {
  it("count calls, refusals, what is delivered, polls and sockets", async () => {
    const kit = await createKit();
    const { telex, alice, bob, room } = kit;
    const before = telex.figures();
    await telex.teleprinter.register(alice, { deviceId: "printer", name: "P" });
    await expect(telex.teleprinter.heartbeat(bob, { deviceId: "printer" })).rejects.toMatchObject({
      code: "not_owner",
    });
    const { connection } = createConnection(bob);
    const detach = telex.attach({ ...connection, channel: "rooms" });
    await telex.listen(connection, { echo: false, since: null }).ready;
    await telex.messages.send(alice, { groupId: room, groupType: 1, message: "hello" });
    await ticks();
    const poll = telex.teleprinter.poll(alice, { deviceId: "printer", wait: 60 });
    await ticks();
    expect(telex.figures()).toMatchObject({
      calls: { begun: before.calls.begun + 4, refused: before.calls.refused + 1, failed: before.calls.failed },
      running: 1,
      polls: 1,
      delivered: { rooms: 1, devices: 0 },
      sockets: { rooms: 1 },
    });
    await telex.teleprinter.send(alice, { deviceId: "printer", content: "come" });
    await poll;
    await telex.teleprinter.send(alice, { deviceId: "printer", content: "come again" });
    expect(await telex.teleprinter.poll(alice, { deviceId: "printer", wait: 60 })).toHaveLength(1);
    detach();
    expect(telex.figures()).toMatchObject({ polls: 0, running: 0, sockets: {} });
  });

  it("count a failure of the server as such", async () => {
    const kit = await createKit({ plugins: [] });
    const { telex, alice } = kit;
    await telex.teleprinter.register(alice, { deviceId: "printer", name: "P" });
    const { failed } = telex.figures().calls;
    kit.storage.teleprinter.touchDevice = () => Promise.reject(new Error("a fault"));
    await expect(heartbeat(kit)).rejects.toThrow("a fault");
    expect(telex.figures().calls.failed).toBe(failed + 1);
  });

  it("count refusals of a used-up quota", async () => {
    const kit = await createKit();
    await kit.telex.operator.quota.assign(operator, { userId: 1, unit: "count", max: 0, period: "daily" });
    await expect(ask(kit, "x")).rejects.toMatchObject({ code: "quota_exceeded" });
    expect(kit.telex.figures().quotaRefusals).toBe(1);
  });
});

it("the status tells admins alone what is stored and what waits", async () => {
  const kit = await createKit();
  const { telex, alice } = kit;
  await telex.teleprinter.register(alice, { deviceId: "printer", name: "P" });
  await telex.teleprinter.send(alice, { deviceId: "printer", content: "waits" });
  const status = await telex.operator.server.status(operator, {});
  expect(status).toMatchObject({
    startedAt: kit.clock.now(),
    stored: { users: 3, groups: 1, devices: 1, files: 0, queued: 1 },
    process: { pid: process.pid, node: process.version },
  });
  await expect(telex.operator.server.status(alice, {})).rejects.toMatchObject({ code: "insufficient_scope" });
});
