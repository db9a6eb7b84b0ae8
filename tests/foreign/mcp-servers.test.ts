import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { folder, forAllTests, serve, telex, until } from "test-support/command";
import { freePort } from "test-support/port";
import { parse, textAt } from "test-support/json";
import { describe, expect, it, onTestFinished } from "vitest";
import { foreign } from "./support/cache.ts";
import { npmProgram } from "./support/npm.ts";
import { pythonProgram } from "./support/python.ts";

/** A model that calls the tool which the question names, and replies with the result. */
const model = `{
  contextTokens: 100_000, maxOutputTokens: 1000, takesTools: true, countTokens: (text) => Math.ceil(text.length / 4),
  async *reply({ messages, tools = [] }) {
    const usage = { promptTokens: 1, completionTokens: 1, estimated: false };
    const { role, content } = messages.at(-1);
    if (role === "tool" || content === "tools") {
      yield { kind: "delta", delta: role === "tool" ? content : tools.map(({ name }) => name).join(" ") };
      yield { kind: "end", finishReason: "stop", usage };
    } else {
      const { name, args } = JSON.parse(content);
      yield { kind: "tool_call", index: 0, id: "c", name, arguments: JSON.stringify(args) };
      yield { kind: "end", finishReason: "tool_calls", usage };
    }
  },
}`;

/** Starts `telex serve` with these servers of tools. */
async function open(servers: object) {
  const cwd = await folder();
  const config = `export default { models: { able: ${model} }, aiTools: ${JSON.stringify({ servers })} };`;
  await writeFile(join(cwd, "telex.config.mjs"), config);
  const server = await serve(["--demo"], { cwd });
  const issued = await telex(["token", "issue", "--user", "1", "--scope", "admin", "--json"], { cwd });
  const env = { TELEX_TOKEN: textAt(parse(issued.stdout), "token") };
  const ready = new RegExp(
    `^tools +${Object.keys(servers)
      .map((name) => `${name} \\d+ tools[^;]*`)
      .join("; ")}$`,
    "m",
  );
  await until(async () => ready.test((await telex(["status", "--url", server.url], { cwd, env })).stdout));
  const headers = {
    authorization: `Bearer ${textAt(server.printed, "users", 0, "token")}`,
    "content-type": "application/json",
  };
  const post = (path: string, body: object): Promise<Response> =>
    fetch(`${server.url}/external/api/v1/sseStream/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  /** The text of a reply. Each question about a tool is answered with `allow`. */
  const ask = async (content: string, allow = true): Promise<{ readonly reply: string; readonly asked: number }> => {
    const stream = await post("chat", { content, tools: true });
    let [text, asked] = ["", 0];
    for await (const piece of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += piece;
      const [, callId] = /event: ChatToolRequest\ndata: .*"callId":"([^"]+)"/.exec(text) ?? [];
      if (callId === undefined || asked > 0) continue;
      asked += 1;
      expect((await post("tool", { callId, allow })).status).toBe(200);
    }
    const [, result = "{}"] = /event: ChatResult\ndata: (.*)\n/.exec(text) ?? [];
    return { reply: textAt(parse(result), "content"), asked };
  };
  const call = (name: string, args: object, allow = true) => ask(JSON.stringify({ name, args }), allow);
  return { ask, call, cwd };
}

describe("the server of files of the protocol's authors", () => {
  const prepare = forAllTests(async () => {
    const place = await folder();
    await writeFile(join(place, "tea.txt"), "The tea is ready.");
    const program = npmProgram(
      "mcp-js",
      "node_modules",
      "@modelcontextprotocol",
      "server-filesystem",
      "dist",
      "index.js",
    );
    const files = {
      command: process.execPath,
      args: [program, place],
      harmless: ["read_text_file", "list_directory", "write_file"],
    };
    return { place, ...(await open({ files })) };
  });

  it("offers its tools, and a file is read without a question", async () => {
    const { place, ask, call } = prepare();
    const { reply } = await ask("tools");
    expect(reply.split(" ")).toEqual(expect.arrayContaining(["files_read_text_file", "files_write_file"]));
    expect(await call("files_read_text_file", { path: join(place, "tea.txt") })).toEqual({
      reply: "The tea is ready.",
      asked: 0,
    });
    expect(await call("files_list_directory", { path: place })).toEqual({ reply: "[FILE] tea.txt", asked: 0 });
  });

  it("writes a file only if the person allows it, although the operator calls that harmless", async () => {
    const { place, call } = prepare();
    const path = join(place, "milk.txt");
    expect(await call("files_write_file", { path, content: "Milk" }, false)).toMatchObject({ asked: 1 });
    await expect(readFile(path, "utf8")).rejects.toThrow("ENOENT");
    expect(await call("files_write_file", { path, content: "Milk" })).toMatchObject({ asked: 1 });
    expect(await readFile(path, "utf8")).toBe("Milk");
  });

  it("passes on that a path is not allowed", async () => {
    expect((await prepare().call("files_read_text_file", { path: "/etc/passwd" })).reply).toContain("Access denied");
  });
});

describe("a server of FastMCP", () => {
  const program = join(foreign, "mcp-python", "server.py");

  it.each(["standard input", "HTTP"])("adds over %s, says its failures, and asks before it writes", async (way) => {
    const port = await freePort();
    const python = pythonProgram("python");
    if (way === "HTTP") {
      const child = spawn(python, [program, String(port)], { stdio: "ignore" });
      onTestFinished(() => void child.kill("SIGKILL"));
      const isUp = (): Promise<boolean> =>
        fetch(`http://127.0.0.1:${port}/mcp`).then(
          () => true,
          () => false,
        );
      await until(isUp);
    }
    const where = way === "HTTP" ? { url: `http://127.0.0.1:${port}/mcp` } : { command: python, args: [program] };
    const { ask, call, cwd } = await open({ sums: { ...where, harmless: ["add", "fail"] } });
    expect((await ask("tools")).reply).toBe("sums_add sums_fail sums_write");
    expect(await call("sums_add", { a: 2, b: 40 })).toEqual({ reply: "42", asked: 0 });
    expect((await call("sums_add", { a: "two" })).reply).toMatch(/valid/i);
    expect((await call("sums_fail", {})).reply).toContain("no such sum");
    const path = join(cwd, "sum.txt");
    expect(await call("sums_write", { path, text: "42" })).toEqual({ reply: "written", asked: 1 });
    expect(await readFile(path, "utf8")).toBe("42");
  });
});
