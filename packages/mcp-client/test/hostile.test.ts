import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { until } from "@telex/conformance/testing";
import { TelexError } from "@telex/core";
import { z } from "zod";
import { createAiTools } from "../src/index.ts";
import { all, createProgram, openTools, resultsOf } from "./scene.ts";

const surroundings = z.object({ env: z.record(z.string(), z.string()), home: z.array(z.string()) });

/** The results that the model got for these calls of a program. */
async function resultOf(tool: string, more: object = {}): Promise<string[]> {
  const { server } = createProgram({ seconds: 1, ...more });
  const kit = await openTools({ servers: { files: server } }, [{ tool: `files_${tool}` }, "Over."]);
  const events = await all(await kit.telex.ai.chat(kit.alice, { content: "x" }));
  expect(events.at(-1)).toMatchObject({ kind: "result", content: "Over." });
  return resultsOf(kit.requests[1]?.messages ?? []);
}

it("ends a call that is not answered, and a program that sends too much or dies, as a failure that the model is told", async () => {
  expect(await resultOf("never")).toEqual(["The tool did not answer in 1 s."]);
  expect(await resultOf("huge", { seconds: 30 })).toEqual([expect.stringContaining("The tool failed")]);
  expect(await resultOf("die", { ask: "never" })).toEqual([expect.stringContaining("The tool failed")]);
});

it("does not repeat a call whose program died, and starts the program again for the next one", async () => {
  const { server, lines } = createProgram({ ask: "never" });
  const moves = [{ tool: "files_die" }, "Over."];
  const kit = await openTools({ servers: { files: server } }, moves);
  await all(await kit.telex.ai.chat(kit.alice, { content: "x" }));
  expect(lines()).toEqual(["die"]);
  expect(kit.tools.state()).toMatchObject([{ state: "failed", failure: expect.stringMatching(/./) as unknown }]);
});

it("offers a bounded number of tools, without names and schemas that break the bounds", async () => {
  const harmless = [...Array.from({ length: 200 }, (_, index) => `t${index}`), "a.b", "a_b", "large"];
  for (const [mode, count, leftOut] of [
    ["many", 64, 9936],
    ["odd", 1, 3],
  ] as const) {
    const { server } = createProgram({ harmless }, mode);
    const tools = createAiTools({ servers: { files: server } });
    onTestFinished(() => tools.close());
    expect(await tools.check()).toMatchObject([{ state: "ready", tools: count, leftOut }]);
  }
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

it("does without the tools of a server that never speaks", async () => {
  const { server } = createProgram({}, "silent");
  const kit = await openTools({ servers: { files: server } }, ["Hello."]);
  const events = await all(await kit.telex.ai.chat(kit.alice, { content: "x" }));
  expect(events.at(-1)).toMatchObject({ content: "Hello." });
  expect(kit.requests[0]?.tools).toBeUndefined();
}, 15_000);

it("gives a program PATH, LANG, an empty HOME and the configured environment, and nothing else", async () => {
  process.env["TELEX_SECRET_OF_TEST"] = "secret";
  onTestFinished(() => void delete process.env["TELEX_SECRET_OF_TEST"]);
  const [result = "{}"] = await resultOf("surroundings");
  const { env, home } = surroundings.parse(JSON.parse(result));
  expect(
    Object.keys(env)
      .filter((name) => name !== "_")
      .toSorted(),
  ).toEqual(["HOME", "LANG", "PATH", "TOOLS_LOG", "TOOLS_MODE"]);
  expect(home).toEqual([]);
});

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it("ends the whole process group of a program, also children that it leaves behind", async () => {
  const { server, lines } = createProgram({}, "child");
  const tools = createAiTools({ servers: { files: server } });
  await tools.check();
  const pid = Number(lines()[0]?.split(" ")[1]);
  expect(isAlive(pid)).toBe(true);
  await tools.close();
  await until(() => !isAlive(pid));
});

it("follows no redirect of a server over HTTP, and dials no other private address", async () => {
  const asked: string[] = [];
  const http = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.writeHead(307, { location: "http://169.254.169.254/latest/meta-data/" }).end();
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void http.close());
  const address = http.address();
  const port = typeof address === "object" ? address?.port : 0;
  const tools = createAiTools({ servers: { web: { url: `http://127.0.0.1:${port}/mcp` } } });
  onTestFinished(() => tools.close());
  expect(await tools.check()).toMatchObject([{ state: "failed", tools: 0 }]);
  expect(new Set(asked)).toEqual(new Set(["/mcp"]));
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
