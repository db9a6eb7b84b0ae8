import { Readable } from "node:stream";
import { definePlugin, operator, type Storage, TelexError } from "@telex/core";
import { createMemoryNetwork } from "@telex/conformance/testing";
import { createMemoryStorage } from "@telex/storage-memory";
import { describe, expect, it } from "vitest";
import { createClient, type OperatorClient, TelexClientError } from "../src/client/client.ts";
import { type InputKind, pathFields } from "../src/routes.ts";
import { routedOperations } from "../src/endpoints/operations.ts";
import { head, openRaw } from "./raw.ts";
import { overBothTransports, type Person, setup, type Setup } from "./setup.ts";

const admin = "/external/api/v1/admin";
const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==", "base64");
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** An instance with a third user, Root, who has a token with only the scope `admin`. */
async function withAdmin(given: Setup) {
  const { id } = await given.telex.operator.users.add(operator, { nickname: "Root" });
  const root: Person = { id, token: await given.issue({ id, token: "" }, ["admin"]) };
  const { operator: client } = clientOf(given, root.token);
  return { ...given, root, client };
}

const clientOf = ({ http, url }: Setup, token: string) =>
  createClient({
    url,
    token,
    language: "en",
    ...(url.endsWith(".test") ? { fetch: (request: Request) => http.fetch(request) } : {}),
  });

/** The error code and the status of a refusal. */
const refusal = async (call: Promise<unknown>): Promise<string> =>
  await call.then(
    () => "done",
    (error: unknown) => (error instanceof TelexClientError ? `${error.status} ${error.code}` : String(error)),
  );

/** The security events in the log. */
const eventsOf = (lines: readonly string[]): string[] => lines.map((line) => line.split(" ", 2)[1] ?? "");

const operations = routedOperations();
const ofAdmins = operations.filter(({ chapter }) => chapter === "admin");

function bodyOf(input: InputKind, fields: object): RequestInit {
  if (input === "query") return {};
  if (input === "json") return { body: JSON.stringify(fields), headers: { "content-type": "application/json" } };
  const form = new FormData();
  form.set("file", new File([png], "face.png"));
  return { body: form };
}

/** A request for an operation with these fields, and a value for each field of its path. */
function requestOf(
  { route: { path, input, method } }: (typeof operations)[number],
  token: string,
  fields: Readonly<Record<string, string>> = {},
): [string, RequestInit & { token: string }] {
  const filled = pathFields(path).reduce((url, name) => url.replace(`:${name}`, "1"), path);
  const search = input === "query" ? `?${new URLSearchParams(fields).toString()}` : "";
  return [`${filled}${search}`, { method, token, ...bodyOf(input, fields) }];
}

describe("the scope admin", () => {
  it("is needed for every path of administration, and no other scope is enough", async () => {
    const { issue, alice, send, security } = await setup("in process");
    const others = [alice.token, await issue(alice, ["profile"]), await issue(alice, ["device:kitchen"])];
    for (const operation of ofAdmins) {
      expect(operation.route.path.startsWith(`${admin}/`)).toBe(true);
      for (const token of others) {
        const response = await send(...requestOf(operation, token));
        expect([operation.name, response.status]).toEqual([operation.name, 403]);
        expect(response.headers.get("www-authenticate")).toContain('scope="admin"');
      }
      const [path, { token: _none, ...init }] = requestOf(operation, "");
      expect((await send(path, init)).status).toBe(401);
    }
    expect(new Set(eventsOf(security))).toEqual(new Set(["user.added", "token.issued", "access.refused"]));
  });

  it("is not enough for anything that needs chat, or for a device", async () => {
    const { root, send } = await withAdmin(await setup("in process"));
    const closed = operations.filter(({ operation: { access } }) => access === "chat" || access === "device");
    expect(closed.length).toBeGreaterThan(15);
    const device = { deviceId: "kitchen", name: "x", content: "x", id: "1" };
    for (const operation of closed) {
      const [path, init] = requestOf(operation, root.token, operation.operation.access === "device" ? device : {});
      const response = await send(path, init);
      expect([operation.name, response.status]).toEqual([operation.name, 403]);
    }
    const completion = { model: "echo", messages: [{ role: "user", content: "hello" }] };
    const headers = { "content-type": "application/json" };
    const asked = { method: "POST", token: root.token, headers, body: JSON.stringify(completion) };
    expect((await send("/v1/chat/completions", asked)).status).toBe(403);
  });

  it("stands in the OpenAPI document with every path", async () => {
    const { send } = await setup("in process");
    const document = await (await send("/openapi.json")).text();
    expect(ofAdmins.length).toBeGreaterThan(20);
    for (const { name } of ofAdmins) expect(document).toContain(`"operationId":"${name}"`);
  });
});

overBothTransports("an admin", (open) => {
  it("adds, lists, shows, changes and removes users", async () => {
    const { client, root, alice, send } = await withAdmin(await open());
    const added = await client.users.add({ nickname: "张三", ext: "10001", phone: "555" });
    expect(added).toMatchObject({ nickname: "张三", ext: "10001", phone: "555", avatar: null, ai: null });
    expect((await client.users.list()).map(({ id }) => id)).toEqual([1, 2, 3, added.id]);
    expect(await client.users.list({ after: root.id, limit: 1 })).toEqual([added]);
    expect(await client.users.show({ id: added.id })).toEqual(added);
    expect(await client.users.amend({ id: added.id, phone: null })).toEqual({ ...added, phone: null });
    expect(await client.users.remove({ id: alice.id })).toBeNull();
    expect((await send("/external/api/v1/oauth2/userId", { token: alice.token })).status).toBe(401);
    expect(await refusal(client.users.show({ id: alice.id }))).toBe("404 user_not_found");
  });

  it("stores a picture as the avatar of a user or a room, and nothing else", async () => {
    const { client, bob, send } = await withAdmin(await open());
    const file = new File([png], "face.png", { type: "image/png" });
    const { avatar } = await client.users.putAvatar({ id: bob.id, file });
    expect(avatar).toMatch(/^[0-9a-f]{32}$/);
    expect((await send(`/api/avatar/get/personal?id=${bob.id}`)).headers.get("content-type")).toBe("image/jpeg");
    const text = new File(["no picture"], "face.png", { type: "image/png" });
    expect(await refusal(client.users.putAvatar({ id: bob.id, file: text }))).toBe("422 unreadable_image");
    expect(await client.users.show({ id: bob.id })).toMatchObject({ avatar });
    expect(await refusal(client.users.putAvatar({ id: 999, file }))).toBe("404 user_not_found");
    const { groupId } = await client.groups.add({ groupType: 1, name: "Room", members: [bob.id] });
    expect(await client.groups.putAvatar({ groupId, file })).toMatchObject({ groupId, avatar });
    expect(await refusal(client.groups.putAvatar({ groupId, file: text }))).toBe("422 unreadable_image");
    expect(await refusal(client.groups.putAvatar({ groupId: 999, file }))).toBe("404 group_not_found");
  });

  it.each([
    ["broken off", png.subarray(0, png.length - 20)],
    ["that only begins like one", Buffer.concat([png.subarray(0, 8), Buffer.from("no picture at all")])],
  ])("gives nobody a picture that no decoder reads: %s", async (_what, bytes) => {
    const here = await withAdmin(await open());
    const { client, bob, telex } = here;
    const file = new File([bytes], "face.png", { type: "image/png" });
    const { groupId } = await client.groups.add({ groupType: 1, name: "Room", members: [bob.id] });
    expect(await refusal(client.users.putAvatar({ id: bob.id, file }))).toBe("422 unreadable_image");
    expect(await refusal(client.groups.putAvatar({ groupId, file }))).toBe("422 unreadable_image");
    const stored = { name: "face.png", mime: "image/png", bytes: Readable.from([bytes]) };
    const { file_id } = await telex.bucket.upload(await telex.authenticate(bob.token), { file: stored });
    expect(await refusal(client.users.amend({ id: bob.id, avatar: file_id }))).toBe("422 unreadable_image");
    expect(await refusal(client.groups.amend({ groupId, avatar: file_id }))).toBe("422 unreadable_image");
    expect(await client.users.show({ id: bob.id })).toMatchObject({ avatar: null });
    expect((await client.groups.list()).map(({ avatar }) => avatar)).toEqual([null]);
  });

  it("issues no token with admin, and none with chat for somebody else", async () => {
    const { client, root, alice, post, telex } = await withAdmin(await open());
    const issue = (userId: number, ...scopes: string[]) => refusal(client.tokens.issue({ userId, scopes }));
    expect(await issue(root.id, "admin")).toBe("403 insufficient_scope");
    expect(await issue(alice.id, "profile", "admin")).toBe("403 insufficient_scope");
    expect(await issue(alice.id, "chat")).toBe("403 insufficient_scope");
    expect(await issue(alice.id, "device:kitchen", "chat")).toBe("403 insufficient_scope");
    const refused = await post(`${admin}/tokens`, { userId: alice.id, scopes: ["chat"] }, root.token);
    expect(await refused.json()).toMatchObject({ code: 403, data: { error: "insufficient_scope" } });
    expect(await telex.operator.tokens.list(operator, { userId: alice.id })).toHaveLength(1);
    expect(await issue(alice.id, "profile", "device:kitchen")).toBe("done");
    expect(await issue(root.id, "chat")).toBe("done");
    expect(await issue(999, "profile")).toBe("404 user_not_found");
  });

  it("gives an admin no token that outlives the one with admin", async () => {
    const here = await withAdmin(await open());
    const { root, alice, telex } = here;
    const day = { userId: root.id, scopes: ["admin"], life: 86_400_000 };
    const { token, expiresAt } = await telex.operator.tokens.issue(operator, day);
    const { tokens } = clientOf(here, token).operator;
    expect(await tokens.issue({ userId: root.id, scopes: ["chat"] })).toMatchObject({ expiresAt });
    expect(await tokens.issue({ userId: root.id, scopes: ["chat"], life: null })).toMatchObject({ expiresAt });
    const shorter = await tokens.issue({ userId: root.id, scopes: ["chat"], life: 60_000 });
    expect(shorter.expiresAt).not.toBe(expiresAt);
    const ofOther = { userId: alice.id, scopes: ["profile", "device:kitchen"], life: null };
    expect(await tokens.issue(ofOther)).toMatchObject({ expiresAt });
  });

  it("makes users reachable for frameworks, but sets no address that would act as them", async () => {
    const { client, root, bob, telex } = await withAdmin(await open());
    const reachable = { connect: null, hasSecret: false, protocol: 11, self: false };
    expect(await client.users.amend({ id: bob.id, oneBot: {} })).toMatchObject({ oneBot: reachable });
    for (const { id } of [bob, root]) {
      const oneBot = { connect: "ws://127.0.0.1:1/" };
      expect(await refusal(client.users.amend({ id, oneBot }))).toBe("403 insufficient_scope");
    }
    expect(await client.users.show({ id: bob.id })).toMatchObject({ oneBot: reachable });
    const keyed = { connect: "ws://127.0.0.1:1/?access_token=to-ken" };
    await telex.operator.users.amend(operator, { id: bob.id, oneBot: keyed });
    const shown = "ws://127.0.0.1:1/?access_token=********";
    expect(await client.users.show({ id: bob.id })).toMatchObject({ oneBot: { connect: shown } });
    await telex.operator.users.amend(operator, { id: bob.id, oneBot: { connect: shown, self: true } });
    expect(await telex.oneBots(bob.id)).toMatchObject([{ ...keyed, self: true }]);
    expect(await client.users.amend({ id: bob.id, oneBot: null })).toMatchObject({ oneBot: null });
  });

  it("lists tokens without themselves, and revokes them", async () => {
    const { client, bob, send } = await withAdmin(await open());
    const listed = await client.tokens.list({ userId: bob.id });
    expect(listed).toMatchObject([{ userId: bob.id, scopes: ["chat"], revoked: false }]);
    const all = await client.tokens.list();
    expect(JSON.stringify(all)).not.toContain("tlxp_");
    expect(await client.tokens.list({ limit: 1 })).toEqual(all.slice(0, 1));
    expect(await client.tokens.list({ after: all[0]?.id, limit: 1 })).toEqual(all.slice(1, 2));
    expect(await refusal(client.tokens.list({ limit: 1001 }))).toBe("400 invalid_request");
    expect(await client.tokens.revoke({ token: bob.token })).toMatchObject({ id: listed[0]?.id, revoked: true });
    expect((await send("/external/api/v1/oauth2/userId", { token: bob.token })).status).toBe(401);
    expect(await refusal(client.tokens.revoke({ token: "999" }))).toBe("404 not_found");
  });

  it("adds rooms, and changes their members, cards and names", async () => {
    const { client, alice, bob } = await withAdmin(await open());
    const room = await client.groups.add({ groupType: 1, name: "Room", members: [alice.id] });
    const { groupId } = room;
    expect(await client.groups.list()).toEqual([room]);
    const members = await client.groups.amendMembers({ groupId, add: [bob.id], remove: [alice.id] });
    expect(members).toEqual([{ userId: bob.id, nickname: "Bob", card: null, role: "member", ext: null }]);
    const carded = await client.groups.card({ groupId, userId: bob.id, card: "鲍勃" });
    expect(await client.groups.members({ groupId })).toEqual(carded);
    expect(carded).toMatchObject([{ card: "鲍勃" }]);
    expect(await client.groups.amend({ groupId, name: "Office" })).toEqual({ ...room, name: "Office" });
    expect(await client.groups.remove({ groupId })).toBeNull();
    expect(await refusal(client.groups.members({ groupId }))).toBe("404 group_not_found");
    expect(await refusal(client.groups.amendMembers({ groupId, add: [999] }))).toBe("404 user_not_found");
  });

  it("sees devices, and renames, removes and pairs them", async () => {
    const here = await withAdmin(await open());
    const { client, alice, bob, security } = here;
    const { teleprinter, pairing } = clientOf(here, alice.token);
    await teleprinter.register({ deviceId: "pair", name: "Hall" });
    await teleprinter.send({ deviceId: "pair", content: "hello" });
    expect(await client.devices.list({ userId: alice.id })).toMatchObject([{ deviceId: "pair", userId: alice.id }]);
    security.length = 0;
    expect((await client.devices.messages({ deviceId: "pair" })).messages).toMatchObject([{ content: "hello" }]);
    expect(security.join()).toMatch(/ device\.read .*"deviceId":"pair","by":3/);
    const others = { deviceId: "pair", userId: bob.id };
    expect(await refusal(client.devices.messages(others))).toBe("403 not_owner");
    expect(await refusal(client.devices.remove(others))).toBe("403 not_owner");
    expect(await client.devices.rename({ deviceId: "pair", name: "大厅" })).toMatchObject({ name: "大厅" });
    expect(await client.devices.remove({ deviceId: "pair", userId: alice.id })).toBeNull();
    expect(await refusal(client.devices.rename({ deviceId: "pair", name: "x" }))).toBe("404 device_not_found");
    const { code } = await pairing.pair({ deviceId: "porch", name: "Porch" });
    expect(await client.devices.pair({ code, userId: bob.id })).toMatchObject({ deviceId: "porch", userId: bob.id });
  });

  it("gives and shows quotas", async () => {
    const { client, bob } = await withAdmin(await open());
    const quota = { userId: bob.id, unit: "token", max: 5, period: "weekly" } as const;
    expect(await client.quota.assign(quota)).toEqual(quota);
    expect(await client.quota.show({ userId: bob.id })).toMatchObject({ allocationMax: 5, allocationUnit: "token" });
    expect(await client.quota.history({ userId: bob.id, days: 7 })).toEqual([]);
    expect(await refusal(client.quota.show({ userId: 999 }))).toBe("404 user_not_found");
  });

  it("lists files in pages without their names, takes one out of service, and sweeps", async () => {
    const here = await withAdmin(await open());
    const { client, alice, bob, send } = here;
    const { bucket } = clientOf(here, alice.token);
    const contents = ["one", "two", "three"].map((text) => new File([text], `secret-${text}.txt`));
    for (const file of contents) await bucket.upload({ file });
    const sent = await bucket.upload({ file: new File([gif], "private.gif") });
    await client.users.putAvatar({ id: bob.id, file: new File([png], "face.png") });
    const all = await client.files.list();
    expect(all.map(({ file_id }) => file_id)).toEqual(all.map(({ file_id }) => file_id).toSorted());
    expect(all.filter(({ kept }) => kept)).toHaveLength(1);
    expect(all).toHaveLength(4);
    expect(JSON.stringify(all)).not.toContain(sent.file_id);
    expect(await here.telex.operator.files.list(operator, {})).toHaveLength(5);
    expect(JSON.stringify(all)).not.toContain("secret");
    const first = await client.files.list({ limit: 3 });
    const after = first.at(-1)?.file_id ?? "";
    expect([...first, ...(await client.files.list({ after, limit: 3 }))]).toEqual(all);
    const picture = all.find(({ kept }) => kept)?.file_id ?? "";
    expect((await send(`/download/${picture}.png`)).status).toBe(200);
    expect(await client.files.quarantine({ file_id: picture })).toMatchObject({ file_id: picture, mime: "image/png" });
    expect((await send(`/download/${picture}.png`)).status).toBe(404);
    expect(await refusal(client.files.quarantine({ file_id: picture }))).toBe("404 file_not_found");
    expect(await client.files.sweep()).toMatchObject({ files: 0, codes: 0 });
  });

  it("lists the bots", async () => {
    const network = createMemoryNetwork({ account: { account: "helper", groupTypes: [4, 5] } });
    const plugins = [definePlugin({ name: "network", gateways: [network.gateway] })];
    const { client } = await withAdmin(await open({ telex: { plugins } }));
    const unknown = { server: null, since: null, ext: null, version: null, implementation: null, problem: null };
    const own = {
      name: null,
      official: false,
      stored: false,
      connect: null,
      protocol: null,
      minInterval: null,
      ...unknown,
    };
    const bot = { gateway: "memory", account: "helper", network: "memory", groupTypes: [4, 5], ...own };
    expect(await client.bots.list()).toEqual([{ ...bot, connected: true, online: true }]);
    network.isOnline = false;
    expect(await client.bots.list()).toEqual([{ ...bot, connected: true, online: false }]);
  });

  it("adds, changes and removes the accounts of bots", async () => {
    const storage = createMemoryStorage();
    const { client, security, telex } = await withAdmin(await open({ telex: { storage } }));
    security.length = 0;
    const { token, ...added } = await client.bots.add({ account: "10001", name: "Tea", official: true });
    expect(added).toMatchObject({
      account: "10001",
      name: "Tea",
      official: true,
      gateway: "onebot",
      groupTypes: [0, 3, 4, 5],
      stored: true,
    });
    expect(token).toMatch(/^[\w-]{32}$/);
    expect(await client.bots.add({ account: "open", secret: null })).toMatchObject({
      token: null,
      name: null,
      official: false,
      groupTypes: [4, 5],
    });
    for (const wrong of [
      { account: "10001" },
      { account: "b", secret: token },
      { account: "b", secret: "7-chars" },
      { account: "b", official: true },
      { account: "b", connect: "ftp://127.0.0.1:1" },
      { account: "" },
      { account: "b", name: "" },
      { account: "b", name: "x".repeat(65) },
      { account: "b", secret: "a secret with spaces" },
    ]) {
      expect(await refusal(client.bots.add(wrong))).toBe("400 invalid_request");
    }
    const connect = "ws://127.0.0.1:1/";
    // Telex would open connections to any address of its network.
    for (const address of [connect, "http://127.0.0.1:1"]) {
      expect(await refusal(client.bots.add({ account: "b", connect: address }))).toBe("403 insufficient_scope");
    }
    expect(await refusal(client.bots.amend({ account: "10001", connect }))).toBe("403 insufficient_scope");
    const { bots } = telex.operator;
    await expect(bots.amend(operator, { account: "10001", connect })).rejects.toMatchObject({
      code: "invalid_request",
    });
    const change = { account: "10001", connect, secret: "new-secret", protocol: 12 } as const;
    const amended = await bots.amend(operator, change);
    expect(amended).toMatchObject({ connect, protocol: 12, minInterval: 1200 });
    const keyed = "wss://user:pass-word@127.0.0.1:1/?access_token=to-ken&a=1";
    const shown = "wss://user:********@127.0.0.1:1/?access_token=********&a=1";
    expect(await bots.amend(operator, { account: "10001", connect: keyed })).toMatchObject({ connect: shown });
    // A page sends back the values that it received.
    const sentBack = await client.bots.amend({ account: "10001", connect: shown, minInterval: 1300 });
    expect(sentBack).toMatchObject({ connect: shown, minInterval: 1300 });
    expect((await client.bots.list()).map(({ connect: place }) => place)).toContain(shown);
    expect(await storage.bots.listBots()).toContainEqual(expect.objectContaining({ connect: keyed }));
    expect(await client.bots.amend({ account: "10001", connect: null, official: false })).toMatchObject({
      connect: null,
      name: "Tea",
      official: false,
      groupTypes: [4, 5],
    });
    expect(await client.bots.amend({ account: "10001", name: null })).toMatchObject({ name: null });
    expect(await refusal(client.bots.amend({ account: "b" }))).toBe("404 not_found");
    const all = await client.bots.list();
    expect(all.map(({ account }) => account)).toEqual(["10001", "open"]);
    for (const hidden of [token ?? "", "new-secret"]) expect(JSON.stringify(all)).not.toContain(hidden);
    expect(await client.bots.remove({ account: "open" })).toBeNull();
    expect(await refusal(client.bots.remove({ account: "open" }))).toBe("404 not_found");
    const changes = eventsOf(security).filter((event) => event === "bot.changed");
    expect(changes).toHaveLength(8);
    expect(security.join("\n")).toContain('"account":"10001"');
    for (const hidden of [token ?? "", "new-secret"]) expect(security.join("\n")).not.toContain(hidden);
  });

  it("is named in one line of the log for each change, with ids alone", async () => {
    const { client, root, alice, bob, security } = await withAdmin(await open());
    security.length = 0;
    const { id } = await client.users.add({ nickname: "Hidden" });
    await client.users.amend({ id, nickname: "Hidden, too" });
    await client.tokens.issue({ userId: id, scopes: ["profile"] });
    const { groupId } = await client.groups.add({ groupType: 1, name: "Hidden room", members: [alice.id] });
    await client.groups.amendMembers({ groupId, add: [bob.id] });
    await client.groups.card({ groupId, userId: bob.id, card: "Hidden card" });
    await client.groups.amend({ groupId, name: "Hidden again" });
    await client.quota.assign({ userId: id, unit: "count", max: 1, period: "daily" });
    await client.files.sweep();
    await client.groups.remove({ groupId });
    await client.users.remove({ id });
    await Promise.all([client.users.list(), client.users.show({ id: bob.id }), client.groups.list()]);
    expect(eventsOf(security)).toEqual([
      "user.added",
      "user.changed",
      "token.issued",
      ...Array.from({ length: 4 }, () => "group.changed"),
      "quota.changed",
      "files.swept",
      "group.changed",
      "user.removed",
    ]);
    for (const line of security) expect(line).toMatch(new RegExp(`"by":${root.id},"byToken":\\d+\\}`));
    for (const hidden of ["Hidden", "tlxp_"]) expect(security.join("\n")).not.toContain(hidden);
  });
});

/** A room with Alice and Bob, their views of it, and a function that adds Root. */
async function withRoom(given: Setup) {
  const here = await withAdmin(given);
  const { client, alice, bob, root, send } = here;
  const { groupId } = await client.groups.add({ groupType: 1, name: "Room", members: [alice.id, bob.id] });
  const history = async (token: string) => {
    const response = await send(`/external/api/v1/im/getMessage?groupId=${groupId}&groupType=1`, { token });
    const body: unknown = await response.json();
    return { status: response.status, text: JSON.stringify(body) };
  };
  const join = async () => await client.groups.amendMembers({ groupId, add: [root.id] });
  return { ...here, groupId, history, join };
}

overBothTransports("an admin and the messages of rooms", (open) => {
  it("do not meet, unless the admin is a member: then a notice in the room and the log say so", async () => {
    const { history, join, alice, root, client, security, groupId } = await withRoom(await open());
    const { token } = await client.tokens.issue({ userId: root.id, scopes: ["chat"] });
    expect((await history(token)).status).not.toBe(200);
    security.length = 0;
    await join();
    expect(eventsOf(security)).toEqual(["group.joined", "group.changed"]);
    expect(security[0]).toContain(`"groupId":${groupId},"userId":${root.id},"by":${root.id}`);
    expect((await history(alice.token)).text).toContain("[管理员加入了聊天室]");
    expect((await history(alice.token)).text).toContain('"nickname":"Root"');
    expect((await history(token)).status).toBe(200);
    await join();
    expect((await history(alice.token)).text.match(/管理员加入/g)).toHaveLength(1);
  });

  it("do not meet unseen: the notice cannot be recalled", async () => {
    const here = await withRoom(await open());
    const { client, root, alice, groupId, join, history } = here;
    await join();
    const { token } = await client.tokens.issue({ userId: root.id, scopes: ["chat"] });
    const { messages } = clientOf(here, token);
    expect((await messages.search({ q: "管理员" })).list).toEqual([]);
    const page = await messages.history({ groupId, groupType: 1, more: 1 });
    const [notice] = page.groupMessages;
    expect(notice?.notice).toEqual({ kind: "admin_joined" });
    const messageId = Number(notice?.messageId);
    expect(await refusal(messages.recall({ groupId, messageId }))).toBe("403 not_owner");
    expect((await history(alice.token)).text).toContain("[管理员加入了聊天室]");
  });

  it("meet in the language of the installation", async () => {
    const { history, join, alice } = await withRoom(await open({ telex: { locale: "en" } }));
    await join();
    expect((await history(alice.token)).text).toContain("[An admin has joined the room]");
  });

  it("need no notice where the operator or the admin adds somebody else", async () => {
    const { history, telex, alice, root, client, groupId } = await withRoom(await open());
    const { id } = await client.users.add({ nickname: "Carol" });
    await client.groups.amendMembers({ groupId, add: [id] });
    await telex.operator.groups.amendMembers(operator, { groupId, add: [root.id] });
    expect((await history(alice.token)).text).not.toContain("管理员");
  });
});

describe("a join whose notice cannot be stored", () => {
  it("does not happen, and the log has it with an unknown outcome", async () => {
    const memory = createMemoryStorage();
    const append = () => Promise.reject(new TelexError("storage_unavailable"));
    const storage: Storage = { ...memory, messages: { ...memory.messages, append } };
    const { join, telex, groupId, security } = await withRoom(await setup("in process", { telex: { storage } }));
    security.length = 0;
    expect(await refusal(join())).toBe("503 storage_unavailable");
    expect(await telex.operator.groups.members(operator, { groupId })).toHaveLength(2);
    expect(security).toHaveLength(1);
    expect(security[0]).toMatch(/ group\.changed .*"by":3,.*"outcome":"unknown"/);
  });
});

describe("races of admins", () => {
  it("a token that is revoked while a change arrives changes nothing", async () => {
    const { root, bob, telex, url } = await withAdmin(await setup("over a socket"));
    const connection = await openRaw(url);
    const body = JSON.stringify({ nickname: "Changed" });
    const headers = { "content-type": "application/json", "content-length": String(body.length) };
    const request = head(`PATCH ${admin}/users/${bob.id}`, { ...headers, authorization: `Bearer ${root.token}` });
    connection.write(request + body.slice(0, 5));
    // The server has read the head when it answers another call of the same token.
    expect((await fetch(`${url}${admin}/users`, { headers: { authorization: `Bearer ${root.token}` } })).status).toBe(
      200,
    );
    await telex.operator.tokens.revoke(operator, { token: root.token });
    connection.write(body.slice(5));
    expect(await connection.until(/\r\n\r\n[^]*\}$/)).toMatch(/^HTTP\/1\.1 401 /);
    expect(await telex.operator.users.show(operator, { id: bob.id })).toMatchObject({ nickname: "Bob" });
  });

  it("a token that is revoked while a picture arrives makes no avatar of it", async () => {
    const { root, bob, telex, url } = await withAdmin(await setup("over a socket"));
    const connection = await openRaw(url);
    const headers = { "content-type": "image/png", "content-length": String(png.length) };
    const line = `POST ${admin}/users/${bob.id}/avatar`;
    connection.write(head(line, { ...headers, authorization: `Bearer ${root.token}` }));
    connection.write(png.subarray(0, 20));
    expect((await fetch(`${url}${admin}/users`, { headers: { authorization: `Bearer ${root.token}` } })).status).toBe(
      200,
    );
    await telex.operator.tokens.revoke(operator, { token: root.token });
    connection.write(png.subarray(20));
    expect(await connection.until(/\r\n\r\n[^]*\}$/)).toMatch(/^HTTP\/1\.1 401 /);
    expect(await telex.operator.users.show(operator, { id: bob.id })).toMatchObject({ avatar: null });
    expect(await telex.operator.files.list(operator, {})).toMatchObject([{ kept: false }]);
  });

  it("two admins who give one ID to two users: one succeeds", async () => {
    const here = await withAdmin(await setup("over a socket"));
    const second = clientOf(here, await here.issue(here.alice, ["admin"])).operator;
    const amend = (client: OperatorClient, id: number) => refusal(client.users.amend({ id, ext: "10001" }));
    const outcomes = await Promise.all([amend(here.client, here.alice.id), amend(second, here.bob.id)]);
    expect(outcomes.toSorted()).toEqual(["400 invalid_request", "done"]);
  });

  it("two admins who change different fields of one user: both changes stay", async () => {
    const here = await withAdmin(await setup("over a socket"));
    const { client, alice, bob } = here;
    const second = clientOf(here, await here.issue(alice, ["admin"])).operator;
    for (let round = 0; round < 10; round += 1) {
      const [phone, ext] = [`555-${round}`, `ext-${round}`];
      await Promise.all([client.users.amend({ id: bob.id, phone }), second.users.amend({ id: bob.id, ext })]);
      expect(await client.users.show({ id: bob.id })).toMatchObject({ phone, ext });
    }
  });

  it("an admin who removes a user whom another one changes: the user is gone", async () => {
    const here = await withAdmin(await setup("over a socket"));
    const { client, alice, bob } = here;
    const second = clientOf(here, await here.issue(alice, ["admin"])).operator;
    const [removed, changed] = await Promise.all([
      refusal(client.users.remove({ id: bob.id })),
      refusal(second.users.amend({ id: bob.id, nickname: "Robert" })),
    ]);
    expect(removed).toBe("done");
    expect(["done", "404 user_not_found"]).toContain(changed);
    expect(await refusal(client.users.show({ id: bob.id }))).toBe("404 user_not_found");
  });

  it("an admin who ends their own token gets the response, and nothing afterwards", async () => {
    const { client, root } = await withAdmin(await setup("over a socket"));
    expect(await refusal(client.tokens.revoke({ token: root.token }))).toBe("done");
    expect(await refusal(client.users.list())).toBe("401 invalid_token");
  });
});

describe("a change that fails halfway", () => {
  it("is in the log, with an unknown outcome", async () => {
    const here = await withAdmin(await setup("in process"));
    const { telex, root, bob, security } = here;
    const caller = await telex.authenticate(root.token);
    security.length = 0;
    const broken = { name: "face.png", mime: "image/png", bytes: failing() };
    await expect(telex.operator.users.putAvatar(caller, { id: bob.id, file: broken })).rejects.toThrow("cut");
    expect(security.join()).toMatch(/ user\.changed .*"userId":2,"by":3,"byToken":\d+,"outcome":"unknown"/);
  });
});

describe("a picture for somebody who is missing", () => {
  it.each(["users", "groups"])("is not kept: %s", async (where) => {
    const here = await withAdmin(await setup("in process"));
    const { root, alice, send } = here;
    const { file_id: avatar } = await clientOf(here, alice.token).bucket.upload({ file: new File([png], "face.png") });
    const init = { method: "PATCH", token: root.token, headers: { "content-type": "application/json" } };
    const response = await send(`${admin}/${where}/999`, { ...init, body: JSON.stringify({ avatar }) });
    expect(response.status).toBe(404);
    expect(await here.telex.operator.files.list(operator, {})).toMatchObject([{ file_id: avatar, kept: false }]);
  });
});

async function* failing(): AsyncGenerator<Uint8Array> {
  yield Uint8Array.of(1);
  await Promise.resolve();
  throw new Error("cut");
}

describe("hostile input of an admin", () => {
  it.each([
    ["GET", "/users/1.0"],
    ["GET", "/users/-1"],
    ["GET", "/users/%00"],
    ["GET", "/users/__proto__"],
    ["GET", "/users/9007199254740993"],
    ["GET", "/users?limit=1001"],
    ["GET", "/users?limit=1&limit=2"],
    ["GET", "/users?after=0"],
    ["GET", "/files?after=../../etc"],
    ["POST", "/files/..%2f..%2fetc/quarantine"],
    ["GET", "/devices"],
    ["GET", "/devices/a%20b/messages"],
    ["DELETE", "/groups/1e3"],
    ["GET", "/quotas/1/history?days=99999"],
  ])("%s %s is refused as wrong", async (method, path) => {
    const { root, send } = await withAdmin(await setup("in process"));
    const response = await send(`${admin}${path}`, { method, token: root.token });
    expect([response.status, await response.json()]).toMatchObject([400, { data: { error: "invalid_request" } }]);
  });

  it.each<readonly [string, string, unknown]>([
    ["POST", "/users", { nickname: "" }],
    ["POST", "/users", { nickname: "x\u0000" }],
    ["POST", "/users", []],
    ["PATCH", "/users/1", { avatar: "../../etc/passwd" }],
    ["POST", "/tokens", { userId: 1, scopes: [] }],
    ["POST", "/tokens", { userId: 1, scopes: ["ADMIN"] }],
    ["POST", "/tokens", { userId: 1, scopes: ["operator"] }],
    ["POST", "/tokens", { userId: 1, scopes: ["device:*"] }],
    ["POST", "/tokens", { userId: 1, scopes: Array.from({ length: 17 }, () => "profile") }],
    ["POST", "/groups", { groupType: 9, name: "Room" }],
    ["POST", "/groups/1/members", { add: [1.5] }],
    ["POST", "/groups/1/members", { add: Array.from({ length: 10_001 }, () => 1) }],
    ["POST", "/quotas/1", { unit: "count", max: -1, period: "daily" }],
  ])("%s %s with a wrong body is refused, and changes nothing", async (method, path, body) => {
    const { root, send, telex, security } = await withAdmin(await setup("in process"));
    security.length = 0;
    const headers = { "content-type": "application/json" };
    const response = await send(`${admin}${path}`, { method, token: root.token, headers, body: JSON.stringify(body) });
    expect([response.status, await response.json()]).toMatchObject([400, { data: { error: "invalid_request" } }]);
    expect(security).toEqual([]);
    expect(await telex.operator.tokens.list(operator, {})).toHaveLength(3);
  });

  it("in a body does not move what the path names", async () => {
    const { root, send, telex, alice, bob } = await withAdmin(await setup("in process"));
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ id: alice.id, nickname: "Changed" });
    const response = await send(`${admin}/users/${bob.id}`, { method: "PATCH", token: root.token, headers, body });
    expect(await response.json()).toMatchObject({ data: { id: bob.id, nickname: "Changed" } });
    expect(await telex.operator.users.show(operator, { id: alice.id })).toMatchObject({ nickname: "Alice" });
  });
});
