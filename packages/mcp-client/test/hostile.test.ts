import { expect, it, onTestFinished } from "vitest";
import { TelexError } from "@telex/core";
import { createAiTools } from "../src/index.ts";
import { all, createProgram, openTools, resultsOf } from "./scene.ts";

/** The results that the model got for these calls of a program. */
async function resultOf(tool: string, more: object = {}): Promise<string[]> {
  const { server } = createProgram({ seconds: 1, ...more });
  const kit = await openTools({ servers: { files: server } }, [{ tool: `files_${tool}` }, "Over."]);
  const events = await all(await kit.telex.ai.chat(kit.alice, { content: "x" }));
  expect(events.at(-1)).toMatchObject({ kind: "result", content: "Over." });
  return resultsOf(kit.requests[1]?.messages ?? []);
}

it("ends a call that is not answered, and a program that sends too much or dies, as a failure that the model is told", async () => {
  const failed = [expect.stringContaining("The tool failed")];
  const results = await Promise.all([
    resultOf("never"),
    resultOf("huge", { seconds: 30 }),
    resultOf("die", { ask: "never" }),
  ]);
  expect(results).toEqual([["The tool did not answer in 1 s."], failed, failed]);
});

it("offers a bounded number of tools, without names and schemas that break the bounds", async () => {
  const harmless = [...Array.from({ length: 200 }, (_, index) => `t${index}`), "a.b", "a_b", "large"];
  const many = createProgram({ harmless }, "many").server;
  const odd = createProgram({ harmless }, "odd").server;
  const tools = createAiTools({ servers: { many, odd } });
  onTestFinished(() => tools.close());
  expect(await tools.check()).toMatchObject([
    { state: "ready", tools: 64, leftOut: 9936 },
    { state: "ready", tools: 1, leftOut: 4 },
  ]);
});

it("lets the calls of a reply take the configured seconds together, and then answers without calls", async () => {
  const { server } = createProgram();
  const moves = [{ tool: "files_never", times: 3 }, "Over."];
  const kit = await openTools({ seconds: 1, servers: { files: server } }, moves);
  const events = await all(await kit.telex.ai.chat(kit.alice, { content: "x" }));
  expect(events.at(-1)).toMatchObject({ kind: "result", content: "Over." });
  expect(kit.requests.map(({ toolChoice }) => toolChoice)).toEqual(["auto", "none"]);
  const late = "Too many calls: this one did not run.";
  expect(resultsOf(kit.requests[1]?.messages ?? [])).toEqual(["The tool did not answer in 1 s.", late, late]);
});

it("lets a model that asks for tools without an end fail after the configured steps", async () => {
  const { server } = createProgram();
  const kit = await openTools({ steps: 3, servers: { files: server } }, [{ tool: "files_read" }]);
  const reading = all(await kit.telex.ai.chat(kit.alice, { content: "x" }));
  await expect(reading).rejects.toMatchObject({ code: "ai_unavailable" });
  expect(kit.requests.map(({ toolChoice }) => toolChoice)).toEqual(["auto", "auto", "auto", "none"]);
  expect(await kit.telex.ai.quota(kit.alice, {})).toMatchObject({
    messageCount: 0,
    tokenCount: expect.any(Number) as unknown,
  });
});

it("overspends no quota of tokens, however many replies with tools run simultaneously", async () => {
  const { server } = createProgram();
  const allocation = { unit: "token", max: 2000, period: "daily" } as const;
  const moves = [{ tool: "files_read" }, { tool: "files_read" }, "Done."];
  const kit = await openTools({ servers: { files: server } }, moves, { allocation });
  const ask = async () => all(await kit.telex.ai.chat(kit.alice, { content: "x" }));
  const outcomes = await Promise.allSettled(Array.from({ length: 100 }, ask));
  const refused = outcomes.flatMap((one) => (one.status === "rejected" ? [TelexError.from(one.reason).code] : []));
  expect(new Set(refused)).toEqual(new Set(["quota_exceeded"]));
  const { tokenCount, messageCount } = await kit.telex.ai.quota(kit.alice, {});
  expect(tokenCount).toBeLessThanOrEqual(2000);
  expect(messageCount).toBe(100 - refused.length);
  expect(tokenCount).toBeGreaterThanOrEqual(60 * messageCount);
}, 20_000);
