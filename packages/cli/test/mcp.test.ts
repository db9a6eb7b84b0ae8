import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { at, listAt, parse, textAt } from "test-support/json";
import { folder, forAllTests, finished, serve, start } from "test-support/command";

const opening = {
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "Editor", version: "1" } },
};

describe("tools of models", () => {
  const prepare = forAllTests(async () => {
    const server = await serve(["--demo", "--storage", "memory:", "--rate-limits", "off", "--data", await folder()]);
    return { url: server.url, token: textAt(server.printed, "users", 0, "token") };
  });

  it("are at /mcp of the server, with those of rooms that people run", async () => {
    const { url, token } = prepare();
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    const answer = await (await fetch(`${url}/mcp`, { method: "POST", headers, body })).text();
    const data = parse(answer.replace(/^(?:.*\n)?data: /, ""));
    expect(listAt(data, "result", "tools").map((tool) => at(tool, "name"))).toContain("react_in_room");
    const metadata = await (await fetch(`${url}/.well-known/oauth-protected-resource/mcp`)).json();
    expect(textAt(metadata, "resource")).toMatch(/\/mcp$/);
  });

  it("are spoken of on standard input and output, until that ends", async () => {
    const { url, token } = prepare();
    const child = start(["mcp"], { env: { TELEX_URL: url, TELEX_TOKEN: token } });
    const outcome = finished(child);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const ask = async (id: number, request: object): Promise<unknown> => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...request })}\n`);
      return parse(String((await lines.next()).value));
    };
    expect(at(await ask(1, opening), "result", "serverInfo", "name")).toBe("telex");
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
    const sending = { name: "send_to_device", arguments: { deviceId: "demo-printer", content: "from a model" } };
    const sent = await ask(2, { method: "tools/call", params: sending });
    expect(textAt(sent, "result", "content", 0, "text")).toContain("from a model");
    child.stdin.end();
    expect(await outcome).toMatchObject({ code: 0, stderr: "" });
  });

  it("need a token that the server knows", async () => {
    const { url } = prepare();
    const child = start(["mcp"], { env: { TELEX_URL: url, TELEX_TOKEN: "tlxp_unknown" } });
    const { code, stderr } = await finished(child);
    expect([code, stderr]).toEqual([1, expect.stringContaining("✖")]);
  });
});
