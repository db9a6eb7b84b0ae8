import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { finished, folder, serve, start, telex, until } from "test-support/command";
import { at, parse, textAt } from "test-support/json";
import { describe, expect, it } from "vitest";

const program = fileURLToPath(new URL("../../mcp-client/test/programs/tools.ts", import.meta.url));

/** A model that calls `files_never` once, which does not return. */
const model = `{
  contextTokens: 1000, maxOutputTokens: 50, takesTools: true, countTokens: () => 1,
  async *reply({ messages }) {
    const usage = { promptTokens: 10, completionTokens: 10, estimated: false };
    yield { kind: "delta", delta: "I look. " };
    if (messages.at(-1).role === "tool") return void (yield { kind: "end", finishReason: "stop", usage });
    yield { kind: "tool_call", index: 0, id: "c", name: "files_never", arguments: '{"path":"a"}' };
    yield { kind: "end", finishReason: "tool_calls", usage };
  },
}`;

/** A folder with a configuration file that has the program as a server of tools. */
async function configured(more: object = {}): Promise<{ readonly cwd: string; readonly log: string }> {
  const cwd = await folder();
  const log = join(cwd, "tools.log");
  const env = { TOOLS_LOG: log, TOOLS_MODE: "child" };
  const files = { command: process.execPath, args: [program], env, harmless: ["never"], ...more };
  const aiTools = JSON.stringify({ seconds: 600, servers: { files, gone: { command: "no-such-program" } } });
  await writeFile(join(cwd, "telex.config.mjs"), `export default { models: { able: ${model} }, aiTools: ${aiTools} };`);
  return { cwd, log };
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe("tools of models", () => {
  it("leave a call as begun if the server is killed while it runs: the tokens count, and no program is left", async () => {
    const { cwd, log } = await configured();
    const lines = async (): Promise<string> => await readFile(log, "utf8").catch(() => "");
    const server = await serve(["--demo", "--data", cwd], { cwd });
    const token = textAt(server.printed, "users", 0, "token");
    const child = start(["ai", "ask", "Look"], { env: { TELEX_URL: server.url, TELEX_TOKEN: token } });
    await until(async () => (await lines()).includes("never"));
    const pid = Number(/^child (\d+)$/m.exec(await lines())?.[1]);
    expect(isAlive(pid)).toBe(true);
    server.process.kill("SIGKILL");
    await finished(child);
    await until(() => Promise.resolve(!isAlive(pid)));

    const again = await serve(["--data", cwd], { cwd });
    const get = async (path: string): Promise<unknown> => {
      const headers = { authorization: `Bearer ${token}` };
      return await (await fetch(`${again.url}/external/api/v1/sseStream/${path}`, { headers })).json();
    };
    await until(async () => Number(at(await get("quota"), "data", "tokenCount")) > 0);
    expect(await get("quota")).toMatchObject({ data: { messageCount: 0 } });
    expect(await get("conversations/1/messages")).toMatchObject({
      data: {
        messages: [
          {
            role: "assistant",
            content: "I look. ",
            finishReason: "failed",
            tools: [{ server: "files", tool: "never", arguments: '{"path":"a"}', state: "called", result: "" }],
          },
          { role: "user", content: "Look" },
        ],
      },
    });
    expect((await lines()).match(/never/g)).toHaveLength(1);
  });

  it("have their state in the status, and doctor says why a server is not ready", async () => {
    const { cwd } = await configured();
    const server = await serve(["--demo"], { cwd });
    const issued = await telex(["token", "issue", "--user", "1", "--scope", "admin", "--json"], { cwd });
    const env = { TELEX_TOKEN: textAt(parse(issued.stdout), "token") };
    const status = async () => (await telex(["status", "--url", server.url], { cwd, env })).stdout;
    await until(async () => /^tools +files 7 tools; gone failed \(.+\)$/m.test(await status()));
    const doctor = await telex(["doctor"], { cwd });
    expect(doctor.stdout).toMatch(/not ready: gone: /);
  });

  it.each([
    [{ rooms: ["Kitchen"] }, '"Kitchen" in servers.files.rooms of aiTools is not the name of a model.'],
    [{ models: ["echo"] }, '"echo" in servers.files.models of aiTools is not the name of a model.'],
    [{ rooms: 3 }, "servers.files.rooms: Invalid input: expected array"],
    [{ arguments: [] }, 'servers.files: Unrecognized key: "arguments"'],
  ])("are refused with %j at the start", async (more, message) => {
    const { cwd } = await configured(more);
    const { code, stderr } = await telex(["serve", "--port", "0", "--storage", "memory:"], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it("are refused where no model can call them", async () => {
    const cwd = await folder();
    const aiTools = { servers: { files: { command: "files-mcp" } } };
    await writeFile(join(cwd, "telex.config.json"), JSON.stringify({ aiTools }));
    const { code, stderr } = await telex(["serve", "--port", "0", "--storage", "memory:"], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining("add +tools to one in aiModels")]);
  });
});
