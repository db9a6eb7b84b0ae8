import { describe, expect, it } from "vitest";
import { z } from "zod";
import { openServer } from "./open-server.ts";

const modes = [{ mode: "legacy" }, { mode: { pin: "2026-07-28" } }] as const;

const texts = z.tuple([z.object({ text: z.string() })]).rest(z.unknown());

const textOf = ({ content }: { readonly content?: unknown }): string => texts.parse(content)[0].text;

describe.each(modes)("tools for clients of $mode", ({ mode }) => {
  it("are the operations that the scopes of the token open", async () => {
    const { connect, person, issue } = await openServer();
    const alice = await person("Alice");
    const namesFor = async (scopes: readonly string[]) => {
      const { tools } = await (await connect({ token: await issue(alice, scopes), mode })).listTools();
      return tools.map(({ name }) => name);
    };
    expect(await namesFor(["chat"])).toEqual(
      expect.arrayContaining([
        "list_devices",
        "send_to_device",
        "read_room",
        "search_rooms",
        "send_to_room",
        "list_files",
      ]),
    );
    expect(await namesFor(["device:kitchen"])).toEqual(["send_to_device", "read_device", "picture_as_text"]);
    expect(await namesFor(["profile"])).toEqual(["picture_as_text"]);
  });

  it("do what the operations do, and explain what is refused", async () => {
    const { connect, person, room } = await openServer();
    const [alice, bob, eve] = [await person("Alice"), await person("Bob"), await person("Eve")];
    const groupId = await room([alice, bob], { name: "Kitchen" });
    const client = await connect({ token: alice.token, mode });
    const message = { groupId, groupType: 1, message: "The soup is ready" };
    const sent = await client.callTool({ name: "send_to_room", arguments: message });
    expect(textOf(sent)).toContain("messageId");
    const read = await client.callTool({ name: "read_room", arguments: { groupId, groupType: 1 } });
    expect(textOf(read)).toContain("The soup is ready");
    const other = await connect({ token: eve.token, mode });
    const refused = await other.callTool({ name: "read_room", arguments: { groupId, groupType: 1 } });
    expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringMatching(/^group_not_found: /)]);
    const wrong = await client.callTool({ name: "send_to_room", arguments: { groupId, message: "" } });
    expect(textOf(wrong)).toMatch(/^invalid_request: /);
  });
});

it.each(modes)("what a model writes is marked with the name of its program: $mode", async ({ mode }) => {
  const { connect, person, room, telex, caller } = await openServer();
  const alice = await person("Alice");
  const [holder, groupId] = [await caller(alice), await room([alice])];
  await telex.teleprinter.register(holder, { deviceId: "printer", name: "Printer" });
  const client = await connect({ token: alice.token, mode });
  await client.callTool({ name: "send_to_room", arguments: { groupId, groupType: 1, message: "by a model" } });
  await client.callTool({ name: "send_to_device", arguments: { deviceId: "printer", content: "by a model" } });
  const page = { groupId, groupType: 1, pageSize: 10 } as const;
  const [message] = (await telex.messages.history(holder, { ...page, more: 1 })).groupMessages;
  const [text] = (await telex.teleprinter.messages(holder, { deviceId: "printer", pageSize: 10 })).messages;
  // A client of 2025-11-25 sends its name in another request, not with the write.
  const via = { kind: "mcp", name: mode === "legacy" ? "node" : "Test client" };
  expect([message?.via, text?.via]).toEqual([via, via]);
  const [plain] = (await telex.messages.history(holder, page)).groupMessages;
  expect(plain).not.toHaveProperty("via");
});

it("what a client of 2025-11-25 writes is marked with the application that has its token", async () => {
  const names = ["Assistant\u0000 of Ada", null];
  const { connect, person, room, telex, caller } = await openServer({
    applicationOf: () => Promise.resolve(names.shift() ?? null),
  });
  const alice = await person("Alice");
  const [holder, groupId] = [await caller(alice), await room([alice])];
  const client = await connect({ token: alice.token, mode: "legacy" });
  const message = { groupId, groupType: 1, message: "by a model" };
  await client.callTool({ name: "send_to_room", arguments: message });
  await client.callTool({ name: "send_to_room", arguments: message });
  const { groupMessages } = await telex.messages.history(holder, { groupId, groupType: 1, pageSize: 2, more: 1 });
  expect(groupMessages.map(({ via }) => via?.name)).toEqual(["node", "Assistant  of Ada"]);
});

it("tools say what they change, and none destroys", async () => {
  const { connect, person } = await openServer();
  const { tools } = await (await connect({ token: (await person("Alice")).token })).listTools();
  const writing = tools.filter(({ annotations }) => annotations?.readOnlyHint !== true).map(({ name }) => name);
  expect(writing).toEqual(["send_to_device", "send_to_room"]);
  expect(tools.filter(({ annotations }) => annotations?.destructiveHint !== false)).toEqual([]);
  const send = tools.find(({ name }) => name === "send_to_device");
  expect(send?.inputSchema.required).toEqual(["deviceId", "content"]);
  expect(send?.inputSchema.properties).toMatchObject({ priority: { minimum: 1, maximum: 5 } });
  expect(Object.keys(send?.inputSchema.properties ?? {})).not.toContain("via");
});

describe("resources", () => {
  it("are the rooms and the devices of the person, as text", async () => {
    const { connect, person, room, telex, caller } = await openServer();
    const [alice, bob] = [await person("Alice"), await person("Bob")];
    const groupId = await room([alice, bob], { name: "Kitchen" });
    const foreign = await room([bob], { name: "Secret" });
    const holder = await caller(alice);
    await telex.teleprinter.register(holder, { deviceId: "printer", name: "Printer" });
    await telex.teleprinter.send(holder, { deviceId: "printer", content: "hello", priority: 3 });
    await telex.messages.send(await caller(bob), {
      groupId,
      groupType: 1,
      message: [{ type: "text", data: { text: "hi" } }],
    });
    const client = await connect({ token: alice.token });
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri).toSorted()).toEqual(["telex://devices/printer", `telex://rooms/${groupId}`]);
    const textAt = async (uri: string) => {
      const [content] = (await client.readResource({ uri })).contents;
      return content !== undefined && "text" in content ? content.text : "";
    };
    expect(await textAt(`telex://rooms/${groupId}`)).toMatch(/Bob: .*hi/);
    expect(await textAt("telex://devices/printer")).toMatch(/to_device: hello$/);
    await expect(client.readResource({ uri: `telex://rooms/${foreign}` })).rejects.toThrow("group_not_found");
  });

  it("tell their subscribers of changes, and nobody of rooms that are not theirs", async () => {
    const { connect, person, room, telex, caller } = await openServer();
    const [alice, bob] = [await person("Alice"), await person("Bob")];
    const [own, foreign] = [await room([alice, bob]), await room([bob])];
    const client = await connect({ token: alice.token, mode: { pin: "2026-07-28" } });
    const changed: string[] = [];
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => void changed.push(params.uri));
    const uris = [`telex://rooms/${foreign}`, `telex://rooms/${own}`];
    await client.listen({ resourceSubscriptions: uris });
    const say = async (groupId: number) =>
      telex.messages.send(await caller(bob), {
        groupId,
        groupType: 1,
        message: [{ type: "text", data: { text: "hi" } }],
      });
    await say(foreign);
    await say(own);
    await expect.poll(() => changed, { timeout: 20_000 }).toEqual([`telex://rooms/${own}`]);
  });
});

it("prompts ask for the usual tasks", async () => {
  const { connect, person } = await openServer();
  const client = await connect({ token: (await person("Alice")).token });
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(["catch_up", "print", "find"]);
  const { messages } = await client.getPrompt({ name: "catch_up", arguments: { room: "Kitchen" } });
  expect(JSON.stringify(messages)).toContain("Kitchen");
});

describe("a request", () => {
  const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const headersWith = (token: string) => ({
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  });

  it("without a token is told where to get one, and the metadata names the server that issues them", async () => {
    const { send, url } = await openServer({ hasProvider: true });
    const refused = await send({ body: list });
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
      401,
      `Bearer realm="telex", resource_metadata="${url}/.well-known/oauth-protected-resource/mcp", scope="chat"`,
    ]);
    for (const path of ["/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"])
      expect(await (await send({ path, method: "GET" })).json()).toMatchObject({
        resource: `${url}/mcp`,
        authorization_servers: [url],
        bearer_methods_supported: ["header"],
      });
  });

  it("with a wrong token, a token in the address, a foreign origin or too many bytes is refused", async () => {
    const { send, person, log } = await openServer();
    const { token } = await person("Alice");
    const wrong = await send({ headers: headersWith("tlxp_wrong"), body: list });
    expect([wrong.status, wrong.headers.get("www-authenticate")]).toEqual([
      401,
      expect.stringContaining("invalid_token"),
    ]);
    const inQuery = await send({ path: `/mcp?access_token=${token}`, headers: headersWith(token), body: list });
    expect(inQuery.status).toBe(400);
    const foreign = { ...headersWith(token), origin: "https://evil.example" };
    expect((await send({ headers: foreign, body: list })).status).toBe(403);
    expect((await send({ headers: headersWith(token), body: " ".repeat(1_100_000) })).status).toBe(413);
    expect((await send({ headers: headersWith(token), body: "{" })).status).toBe(400);
    expect((await send({ headers: headersWith(token), method: "GET", body: null })).status).toBe(405);
    expect(log.lines.join("\n")).not.toContain(token);
  });

  it("of any shape is answered, and the server goes on", { timeout: 60_000 }, async () => {
    const { send, person } = await openServer();
    const { token } = await person("Alice");
    const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    const bodies: string[] = [
      deep,
      "[]",
      "null",
      "1",
      '""',
      JSON.stringify(Array.from({ length: 5000 }, (_, id) => ({ jsonrpc: "2.0", id, method: "tools/list" }))),
      JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "read_room", arguments: { groupId: {} } },
      }),
      JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "__proto__", arguments: {} } }),
      JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "resources/read",
        params: { uri: `telex://rooms/${"9".repeat(400)}` },
      }),
      JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "prompts/get",
        params: { name: "find", arguments: { what: "x".repeat(900_000) } },
      }),
    ];
    for (const body of bodies) {
      const answer = await send({ headers: headersWith(token), body });
      expect(answer.status).toBeLessThan(500);
      expect(await answer.text()).not.toMatch(/node_modules|\.ts:/);
    }
    expect((await send({ headers: headersWith(token), body: list })).status).toBe(200);
  });
});
