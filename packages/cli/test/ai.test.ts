import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { at, textAt } from "test-support/json";
import { finished, folder, lastJson, serve, start, until } from "test-support/command";
import { portOf } from "test-support/port";
import { telexHere } from "./in-process.ts";

const key = "sk-test-0123456789";

const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;

/** An OpenAI-compatible service that records its requests. */
async function startService() {
  const asked: { key: string | undefined; body: string }[] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => chunks.push(chunk));
    req.on("end", () => {
      asked.push({ key: req.headers.authorization, body: Buffer.concat(chunks).toString() });
      if (asked.at(-1)?.body.includes('"model":"broken"') === true) return void res.writeHead(503).end();
      if (req.url?.endsWith("/embeddings") === true) {
        res.writeHead(200, { "content-type": "application/json" });
        return void res.end(JSON.stringify({ data: [{ index: 0, embedding: [0.5, 1] }], usage: { prompt_tokens: 2 } }));
      }
      res.writeHead(200, { "content-type": "text/event-stream" });
      res.write(event({ choices: [{ delta: { content: "Good day." }, finish_reason: "stop" }] }));
      res.end(event({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 3 } }));
    });
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return { url: `http://127.0.0.1:${portOf(server)}/v1`, asked };
}

/** A service whose reply never ends. `began` resolves with the first request. */
async function startEndless() {
  const began = Promise.withResolvers<void>();
  const server = createServer((req, res) => {
    req.resume();
    res.writeHead(200, { "content-type": "text/event-stream" });
    res.write(event({ choices: [{ delta: { content: "It begins " } }] }));
    began.resolve();
  }).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, "listening");
  return { url: `http://127.0.0.1:${portOf(server)}/v1`, began: began.promise };
}

const usageError = async (env: Readonly<Record<string, string>>): Promise<string> => {
  const { code, stderr } = await telexHere(["serve", "--port", "0", "--storage", "memory:"], { env });
  expect(code).toBe(2);
  return stderr;
};

describe("telex ai ask", () => {
  async function asking(...args: string[]) {
    const service = await startEndless();
    const env = { TELEX_AI_URL: service.url, TELEX_AI_MODELS: "slow" };
    const server = await serve(["--demo", "--storage", "memory:", "--data", await folder()], { env });
    const token = textAt(server.printed, "users", 0, "token");
    const child = start(["ai", "ask", "Tell me all", ...args], { env: { TELEX_URL: server.url, TELEX_TOKEN: token } });
    return { child, outcome: finished(child), began: service.began };
  }

  it("is stopped by Ctrl-C, keeps what was printed, and exits with 1", async () => {
    const { child, outcome } = await asking();
    await once(child.stdout, "data");
    child.kill("SIGINT");
    const { code, stdout, stderr } = await outcome;
    expect({ code, stdout }).toEqual({ code: 1, stdout: "It begins " });
    expect(stderr).toContain("The reply was stopped.");
  });

  it("says so to a program, before anything was printed", async () => {
    const { child, outcome, began } = await asking("--json");
    await began;
    child.kill("SIGINT");
    const { code, stdout, stderr } = await outcome;
    expect({ code, stdout, error: textAt(lastJson(stderr), "error") }).toEqual({
      code: 1,
      stdout: "",
      error: "stopped",
    });
  });
});

describe("the models of telex serve", () => {
  it("are those of the service that the settings name, with the key from a file, and use is shown by day", async () => {
    const [cwd, service] = [await folder(), await startService()];
    await writeFile(join(cwd, "key"), `${key}\n`);
    const env = {
      TELEX_AI_URL: service.url,
      TELEX_AI_KEY_FILE: join(cwd, "key"),
      TELEX_AI_MODELS: "fast=llama3:8b@4096/512,org/large",
      TELEX_AI_EMBEDDING_MODELS: "vectors=nomic-embed-text@2048",
    };
    const server = await serve(["--demo"], { cwd, env });
    const authorization = `Bearer ${textAt(server.printed, "users", 0, "token")}`;
    const models = await fetch(`${server.url}/v1/models`, { headers: { authorization } });
    expect(await models.json()).toMatchObject({ data: [{ id: "fast" }, { id: "org/large" }, { id: "vectors" }] });
    const post = (path: string, body: object) =>
      fetch(`${server.url}/v1/${path}`, {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const answer = await post("chat/completions", { model: "fast", messages: [{ role: "user", content: "Hello" }] });
    expect(await answer.json()).toMatchObject({ choices: [{ message: { content: "Good day." } }] });
    const vectors = await post("embeddings", { model: "vectors", input: "tea" });
    expect(await vectors.json()).toMatchObject({ data: [{ embedding: [0.5, 1] }], usage: { prompt_tokens: 2 } });
    expect(service.asked).toMatchObject([{ key: `Bearer ${key}` }, { key: `Bearer ${key}` }]);
    expect(JSON.parse(service.asked[1]?.body ?? "")).toMatchObject({ model: "nomic-embed-text", input: ["tea"] });
    expect(JSON.parse(service.asked[0]?.body ?? "")).toMatchObject({ model: "llama3:8b", max_tokens: 512 });
    const history = await telexHere(["quota", "show", "--user", "1", "--history", "7", "--json"], { cwd });
    expect(lastJson(history.stdout)).toMatchObject([{ replies: 2, tokens: 10 }]);
    expect(await server.stop()).toBe(0);
    expect(server.log()).not.toContain(key);
  });

  it("may be a list, of which the next is asked if one fails, and models that the configuration file makes", async () => {
    const [cwd, service] = [await folder(), await startService()];
    const reply = `async *reply({ messages }) {
      yield { kind: "delta", delta: messages.at(-1).content };
      yield { kind: "end", finishReason: "stop", usage: { promptTokens: 1, completionTokens: 1, estimated: false } };
    }`;
    const own = `{ contextTokens: 100, maxOutputTokens: 50, countTokens: (text) => text.length, ${reply} }`;
    await writeFile(join(cwd, "telex.config.mjs"), `export default { aiFailover: "15s", models: { own: ${own} } };`);
    const env = { TELEX_AI_URL: service.url, TELEX_AI_MODELS: "main=broken|works@4096/512,works" };
    const server = await serve(["--demo", "--storage", "memory:"], { cwd, env });
    const headers = {
      authorization: `Bearer ${textAt(server.printed, "users", 0, "token")}`,
      "content-type": "application/json",
    };
    const ask = async (model: string) => {
      const body = JSON.stringify({ model, messages: [{ role: "user", content: "Hello" }] });
      const response = await fetch(`${server.url}/v1/chat/completions`, { method: "POST", headers, body });
      const answer: unknown = await response.json();
      return [response.headers.get("x-telex-model"), textAt(answer, "choices", 0, "message", "content")];
    };
    expect(await ask("main")).toEqual(["works", "Good day."]);
    expect(await ask("works")).toEqual(["works", "Good day."]);
    expect(await ask("own")).toEqual(["own", "Hello"]);
    const asked = service.asked.map(({ body }) => textAt(JSON.parse(body), "model"));
    expect(asked).toEqual(["broken", "works", "works"]);
  });

  it("have said what they said before the server was killed, and their tokens count", async () => {
    const [cwd, service] = [await folder(), await startEndless()];
    const env = { TELEX_AI_URL: service.url, TELEX_AI_MODELS: "slow" };
    const server = await serve(["--demo", "--data", cwd], { env });
    const token = textAt(server.printed, "users", 0, "token");
    const child = start(["ai", "ask", "Tell me all"], { env: { TELEX_URL: server.url, TELEX_TOKEN: token } });
    const database = new DatabaseSync(join(cwd, "telex.db"), { readOnly: true });
    await until(
      async () => database.prepare("SELECT 1 FROM reservations WHERE so_far IS NOT NULL").get() !== undefined,
    );
    database.close();
    server.process.kill("SIGKILL");
    await finished(child);

    const again = await serve(["--data", cwd], { env });
    const get = async (path: string): Promise<unknown> => {
      const headers = { authorization: `Bearer ${token}` };
      return await (await fetch(`${again.url}/external/api/v1/sseStream/${path}`, { headers })).json();
    };
    await until(async () => Number(at(await get("quota"), "data", "tokenCount")) > 0);
    expect(await get("conversations/1/messages")).toMatchObject({
      data: {
        messages: [
          { role: "assistant", content: "It begins ", finishReason: "failed" },
          { role: "user", content: "Tell me all" },
        ],
      },
    });
    expect(await get("quota")).toMatchObject({ data: { messageCount: 0 } });
  });

  it("have a key that telex config does not show", async () => {
    const { stdout } = await telexHere(["config", "--json"], { env: { TELEX_AI_KEY: key } });
    expect(stdout).toContain("aiKey");
    expect(stdout).not.toContain(key);
  });

  it("are refused where the settings do not go together, without a word of the key", async () => {
    const service = { TELEX_AI_URL: "https://api.example/v1" };
    const models = { TELEX_AI_MODELS: "a" };
    expect(await usageError(service)).toContain("aiUrl needs aiModels");
    expect(await usageError(models)).toContain("need aiUrl");
    expect(await usageError({ TELEX_AI_EMBEDDING_MODELS: "a" })).toContain("need aiUrl");
    expect(await usageError({ ...service, ...models, TELEX_AI_EMBEDDING_MODELS: "a" })).toContain(
      "Two models are named a. Give",
    );
    expect(await usageError({ ...service, TELEX_AI_MODELS: "a@10/20" })).toContain("maxOutputTokens");
    expect(await usageError({ ...service, TELEX_AI_MODELS: "a|b" })).toContain("such as main=large|small");
    expect(await usageError({ ...service, TELEX_AI_MODELS: "main=a|a" })).toContain("different models");
    const twice = await usageError({ ...service, ...models, TELEX_AI_KEY: key, TELEX_AI_KEY_FILE: "key" });
    expect(twice).toContain("not both");
    expect(twice).not.toContain(key);
  });

  it("of the configuration file are refused if they are not models", async () => {
    const cwd = await folder();
    await writeFile(join(cwd, "telex.config.mjs"), "export default { models: { own: 'gpt' } };");
    const { code, stderr } = await telexHere(["serve", "--port", "0", "--storage", "memory:"], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining('"models" in telex.config.mjs must be')]);
  });
});
