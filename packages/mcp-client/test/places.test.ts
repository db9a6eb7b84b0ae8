import { createLocalBus } from "@telex/core";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { createTelex } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { until } from "@telex/conformance/testing";
import { expect, it, onTestFinished } from "vitest";
import { createAiTools } from "../src/index.ts";
import { all, createProgram, openTools } from "./scene.ts";

const moves = [{ tool: "files_remove", args: { path: "a" } }, "Over."];

it("asks on a device with a text, and takes the next text as the answer", async () => {
  const { server, lines } = createProgram();
  const kit = await openTools({ servers: { files: server } }, moves);
  const { telex, alice } = kit;
  await telex.teleprinter.register(alice, { deviceId: "printer", name: "Printer", ai: "m" });
  const texts = async () =>
    (await telex.teleprinter.messages(alice, { deviceId: "printer", pageSize: 20 })).messages.map(
      ({ content }) => content,
    );
  const say = (content: string) => telex.teleprinter.sync(alice, { deviceId: "printer", content });
  for (const [word, calls] of [
    ["好", 1],
    ["no", 1],
    ["YES", 2],
  ] as const) {
    const before = (await texts()).length;
    await say("Remove it.");
    await until(async () => (await texts()).length === before + 2);
    expect((await texts())[0]).toBe('files.remove {"path":"a"} yes/no?');
    await say(word);
    await until(async () => (await texts())[0] === "Over.");
    expect(lines().filter((line) => line !== "")).toHaveLength(calls);
  }
});

it("takes the answer on another server than the one that holds the reply", async () => {
  const { server, lines } = createProgram();
  const bus = createLocalBus();
  const kit = await openTools({ servers: { files: server } }, moves, { bus });
  const others = createAiTools({ servers: {} });
  const second = await createTelex({
    storage: kit.storage,
    blobs: createMemoryBlobs(),
    images: createSharpEngine(),
    bus,
    plugins: [others.plugin],
  });
  onTestFinished(() => second.close());
  const events = await all(await kit.telex.ai.chat(kit.alice, { content: "x", tools: true }), async (event) => {
    if (event.kind === "toolRequest") await second.ai.tool(kit.alice, { callId: event.callId, allow: true });
  });
  expect(events.at(-1)).toMatchObject({ content: "Over." });
  expect(lines()).toHaveLength(1);
  await expect(second.ai.tool(kit.alice, { callId: "unknown", allow: true })).rejects.toMatchObject({
    code: "not_found",
  });
}, 20_000);
