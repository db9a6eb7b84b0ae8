import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { folder, forAllTests, serve, telex, until } from "test-support/command";
import { at, listAt, parse, textAt } from "test-support/json";
import { describe, expect, it } from "vitest";
import { grayPng } from "./pictures.ts";
import { telexHere } from "./in-process.ts";

/** The folder of a command, and its first arguments. */
interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly before: readonly string[];
}

async function answer(place: Place, ...args: string[]): Promise<unknown> {
  const { cwd, env, before } = place;
  const { code, stdout, stderr } = await telexHere([...before, ...args, "--json"], { cwd, env });
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: "" });
  return parse(stdout);
}

async function refusal(place: Place, ...args: string[]): Promise<object> {
  const { cwd, env, before } = place;
  const { code, stdout, stderr } = await telexHere([...before, ...args, "--json"], { cwd, env });
  expect(stdout).toBe("");
  return { code, error: at(parse(stderr), "error"), msg: textAt(parse(stderr), "msg") };
}

/** A demo server whose first user is an admin. The admin's commands run in another folder. */
async function withAdmin() {
  const cwd = await folder();
  const server = await serve(["--demo"], { cwd });
  const storage: Place = { cwd, env: {}, before: [] };
  const token = textAt(await answer(storage, "token", "issue", "--user", "1", "--scope", "admin"), "token");
  const network: Place = { cwd: await folder(), env: { TELEX_TOKEN: token }, before: ["--url", server.url] };
  return { storage, network, token, url: server.url, users: server.printed, log: server.log };
}

/** Removes values that differ in each run: times, and records that existed before. */
const withoutTimes = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (name, inner: unknown) => (/^(createdAt|lastSeen)$/.test(name) ? "" : inner));

describe.each(["over the network", "on the storage"] as const)("commands of the operator %s", (way) => {
  const prepare = forAllTests(async () => {
    const given = await withAdmin();
    return { ...given, place: way === "over the network" ? given.network : given.storage };
  });

  it("work on users, with their pictures", async () => {
    const { place } = prepare();
    const added = await answer(place, "user", "add", "张三", "--ext", "10001");
    expect(withoutTimes(added)).toEqual({
      id: 3,
      nickname: "张三",
      ext: "10001",
      phone: null,
      avatar: null,
      ai: null,
      oneBot: null,
      state: "active",
      createdAt: "",
    });
    expect(await answer(place, "user", "list", "--after", "2", "--limit", "1")).toEqual([added]);
    await writeFile(join(place.cwd, "face.png"), grayPng(2, [[0, 255]]));
    const changed = await answer(place, "user", "set", "3", "--avatar", "face.png", "--phone", "555");
    expect(changed).toMatchObject({ phone: "555", avatar: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown });
    expect(await answer(place, "user", "show", "3")).toEqual(changed);
    await writeFile(join(place.cwd, "text.png"), "no picture");
    const wrong = await refusal(place, "user", "set", "3", "--avatar", "text.png", "--nickname", "x");
    expect(wrong).toMatchObject({ code: 1, error: "unreadable_image" });
    expect(await answer(place, "user", "show", "3")).toEqual(changed);
    expect(await answer(place, "user", "set", "3", "--avatar", "")).toMatchObject({ avatar: null });
    expect(await answer(place, "user", "remove", "3")).toEqual({ id: 3, nickname: "张三", removed: true });
    expect(await refusal(place, "user", "show", "3")).toMatchObject({ code: 1, error: "user_not_found" });
    expect(await refusal(place, "user", "show", "1.5")).toMatchObject({ code: 2, error: "invalid_request" });
    expect(await refusal(place, "user", "add", "dora", "--ext", "demo-bob")).toMatchObject({ code: 1 });
  });

  it("work on tokens and quotas", async () => {
    const { place } = prepare();
    const issued = await answer(place, "token", "issue", "--user", "2", "--scope", "profile", "--name", "Watch");
    expect(issued).toMatchObject({ userId: 2, scopes: ["profile"], name: "Watch" });
    const id = String(at(issued, "id"));
    expect(await answer(place, "token", "revoke", id)).toMatchObject({ userId: 2, revoked: true });
    const listed = await answer(place, "token", "list", "--user", "2");
    expect(listAt(listed).at(-1)).toMatchObject({ id: at(issued, "id"), userId: 2, revoked: true });
    const quota = ["--user", "2", "--unit", "count", "--max", "7", "--period", "weekly"];
    expect(await answer(place, "quota", "set", ...quota)).toMatchObject({ userId: 2, max: 7 });
    expect(await answer(place, "quota", "show", "--user", "2")).toMatchObject({ allocationMax: 7 });
    expect(await answer(place, "quota", "show", "--user", "2", "--history")).toEqual([]);
  });

  it("work on rooms", async () => {
    const { place } = prepare();
    const added = await answer(place, "group", "add", "--type", "1", "--name", "Office", "--member", "1");
    const groupId = String(at(added, "groupId"));
    expect(listAt(await answer(place, "group", "list"))).toContainEqual(added);
    expect(await answer(place, "group", "members", groupId, "--add", "2")).toMatchObject([
      { userId: 1 },
      { userId: 2 },
    ]);
    expect(await answer(place, "group", "members", groupId)).toHaveLength(2);
    expect(await answer(place, "group", "rename", groupId, "大厅")).toMatchObject({ name: "大厅" });
    const carded = await answer(place, "group", "members", groupId, "--card", "1=Grandma", "--card", "2=Bo=b");
    expect(carded).toMatchObject([{ card: "Grandma" }, { card: "Bo=b" }]);
    expect(await answer(place, "group", "members", groupId, "--card", "1=")).toMatchObject([{ card: null }, {}]);
    expect(await refusal(place, "group", "members", groupId, "--card", "Grandma")).toMatchObject({ code: 2 });
    expect(await answer(place, "group", "members", groupId, "--role", "2=owner", "--role", "1=member")).toMatchObject([
      { role: "member" },
      { role: "owner" },
    ]);
    expect(await refusal(place, "group", "members", groupId, "--role", "1=boss")).toMatchObject({ code: 2 });
    await writeFile(join(place.cwd, "office.png"), grayPng(2, [[0, 255]]));
    const changed = await answer(place, "group", "set", groupId, "--avatar", "office.png", "--name", "Office");
    expect(changed).toMatchObject({ name: "Office", avatar: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown });
    expect(await answer(place, "group", "set", groupId, "--avatar", "")).toMatchObject({
      name: "Office",
      avatar: null,
    });
    expect(await refusal(place, "group", "set", groupId)).toMatchObject({ code: 2, error: "usage" });
    expect(await answer(place, "group", "remove", groupId)).toMatchObject({ removed: true });
  });

  it("work on files and bots", async () => {
    const { place } = prepare();
    // The only file of the demo is a picture in a message, and admins do not manage messages.
    await writeFile(join(place.cwd, "face.png"), grayPng(2, [[0, 255]]));
    await answer(place, "user", "set", "1", "--avatar", "face.png");
    const files = listAt(await answer(place, "files", "list"));
    expect(files.length).toBeGreaterThan(0);
    const file = textAt(files, 0, "file_id");
    expect(await answer(place, "files", "list", "--after", file, "--limit", "1")).toEqual(files.slice(1, 2));
    expect(await answer(place, "files", "quarantine", file)).toMatchObject({ file_id: file });
    expect(await refusal(place, "files", "quarantine", file)).toMatchObject({ code: 1, error: "file_not_found" });
    expect(await answer(place, "files", "sweep")).toMatchObject({ files: 0 });
  });

  it("work on the accounts of bots, which can connect within a second", async () => {
    const { place, url } = prepare();
    expect(await answer(place, "bot", "list")).toEqual([]);
    const added = await answer(place, "bot", "add", "10001", "--name", "Tea", "--official", "--min-interval", "0");
    expect(added).toMatchObject({
      account: "10001",
      name: "Tea",
      official: true,
      groupTypes: [0, 3, 4, 5],
      minInterval: 0,
    });
    const connect = async (token: string): Promise<boolean> => {
      const socket = new WebSocket(`${url.replace("http", "ws")}/onebot/v11/ws?access_token=${token}`);
      const isOpen = await Promise.race([
        once(socket, "open").then(() => true),
        once(socket, "error").then(() => false),
      ]);
      socket.close();
      return isOpen;
    };
    expect(await connect("wrong")).toBe(false);
    // A server notices a change in its storage within a second.
    await until(async () => await connect(textAt(added, "token")));
    const set = ["bot", "set", "10001", "--secret", "another-one", "--no-official", "--protocol", "12"];
    expect(await answer(place, ...set)).toMatchObject({
      name: "Tea",
      official: false,
      groupTypes: [4, 5],
      protocol: 12,
    });
    expect(await answer(place, "bot", "set", "10001", "--name", "")).toMatchObject({ name: null });
    await until(async () => await connect("another-one"));
    expect(await refusal(place, "bot", "set", "10001")).toMatchObject({ code: 2, error: "usage" });
    expect(await refusal(place, "bot", "add", "x", "--min-interval", "soon")).toMatchObject({ code: 2 });
    expect(await answer(place, "bot", "add", "open", "--secret", "none")).toMatchObject({ token: null });
    expect(await answer(place, "bot", "remove", "10001")).toMatchObject({ removed: true });
    await until(async () => !(await connect("another-one")));
    expect(await refusal(place, "bot", "remove", "10001")).toMatchObject({ code: 1, error: "not_found" });
  });

  it("work on the devices of users", async () => {
    const { place, url } = prepare();
    const own = ["--user", "1"];
    expect(await answer(place, "device", "list", ...own)).toMatchObject([{ deviceId: "demo-printer", userId: 1 }]);
    const history = await answer(place, "device", "history", "demo-printer", "--last", "1", ...own);
    expect(listAt(history, "messages")).toHaveLength(1);
    expect(await answer(place, "device", "rename", "demo-printer", "Hall", ...own)).toMatchObject({ name: "Hall" });
    const asked = await fetch(`${url}/external/api/v1/teleprinter/pair`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ deviceId: "porch", name: "Porch" }),
    });
    const code = textAt(await asked.json(), "data", "code");
    expect(await answer(place, "device", "pair", code, "--user", "2")).toMatchObject({ deviceId: "porch", userId: 2 });
    const others = await refusal(place, "device", "remove", "demo-printer", "--user", "2");
    expect(others).toMatchObject({ code: 1, error: "not_owner" });
    expect(await answer(place, "device", "remove", "demo-printer", ...own)).toMatchObject({ removed: true });
  });
});

describe("an admin on the command line", () => {
  const prepare = forAllTests(withAdmin);

  it("needs no --user for one device with a token that is for administration alone", async () => {
    const { network } = prepare();
    expect(await answer(network, "device", "rename", "demo-printer", "Hall")).toMatchObject({ name: "Hall" });
    expect(listAt(await answer(network, "device", "history", "demo-printer"), "messages").length).toBeGreaterThan(0);
    expect(await refusal(network, "device", "list")).toMatchObject({ code: 2, error: "usage" });
    expect(await answer(network, "device", "remove", "demo-printer")).toMatchObject({ removed: true });
  });

  it("gives the token as an option, in a file or with a profile, before or after the command", async () => {
    const { network, token, url } = prepare();
    const { cwd } = network;
    await writeFile(join(cwd, "admin.txt"), `${token}\n`);
    const ask = (...args: string[]) => answer({ cwd, env: { XDG_CONFIG_HOME: cwd }, before: [] }, ...args);
    const users = [{ id: 1 }, { id: 2 }];
    expect(await ask("--url", url, "--token", token, "user", "list")).toMatchObject(users);
    expect(await ask("user", "list", "--url", url, "--token-file", "admin.txt")).toMatchObject(users);
    await ask("login", "--url", url, "--token-file", "admin.txt", "--profile", "user");
    expect(await ask("--profile", "user", "user", "list")).toMatchObject(users);
    const { code, stdout } = await telex(["--url", url, "--token-file", "admin.txt", "user", "list"], { cwd });
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/^id +nickname/) as unknown });
  });

  it("does not issue what an admin cannot issue, and adds nobody then", async () => {
    const { network } = prepare();
    const scopes = ["admin", "chat"];
    for (const scope of scopes) {
      const refused = await refusal(network, "token", "issue", "--user", "2", "--scope", scope);
      expect(refused).toMatchObject({ code: 1, error: "insufficient_scope" });
    }
    expect(await refusal(network, "user", "add", "dora", "--issue-token")).toMatchObject({ code: 2, error: "usage" });
    expect(await answer(network, "user", "list")).toHaveLength(2);
  });

  it("is named in the log of the server, not in that of the storage", async () => {
    const { network, storage, log } = prepare();
    await answer(network, "user", "add", "dora");
    await until(() => Promise.resolve(/"event":"user.added","userId":3,"by":1,"byToken":\d+/.test(log())));
    expect(await readFile(join(storage.cwd, "telex-data", "security.log"), "utf8")).not.toContain("user.added");
  });

  it("is refused with the token of a user", async () => {
    const { network, users } = prepare();
    const ofBob = { ...network, env: { TELEX_TOKEN: textAt(users, "users", 1, "token") } };
    const refused = await refusal(ofBob, "user", "list");
    expect(refused).toMatchObject({
      code: 1,
      error: "insufficient_scope",
      msg: expect.stringContaining('"admin"') as unknown,
    });
  });

  it("says that a server does not answer", async () => {
    const nowhere = { cwd: await folder(), env: { TELEX_TOKEN: "tlxp_x" }, before: ["--url", "http://127.0.0.1:9"] };
    expect(await refusal(nowhere, "user", "list")).toMatchObject({ code: 1, error: "unreachable" });
  });
});

describe("options that name a server", () => {
  it("are needed to leave the storage: an address in the environment does not do that", async () => {
    const cwd = await folder();
    const env = { TELEX_URL: "http://127.0.0.1:9", TELEX_TOKEN: "tlxp_x" };
    expect(await answer({ cwd, env, before: [] }, "user", "add", "alice")).toMatchObject({ id: 1 });
  });

  it.each([
    [["user", "list", "--url", "http://127.0.0.1:9", "--data", "x"], "--data is for the storage"],
    [["--token", "tlxp_x", "user", "list"], "Add --url or --profile"],
    [["serve", "--url", "http://127.0.0.1:9"], "telex serve works on this machine, so it does not accept --url"],
    [["--url", "http://127.0.0.1:9", "migrate", "up"], "telex migrate up works on this machine"],
    [["migrate", "status", "--profile", "x"], "does not accept --profile"],
    [["--url", "http://127.0.0.1:9", "export", "out"], "telex export works on this machine"],
    [["import", "in", "--url", "http://127.0.0.1:9"], "telex import works on this machine"],
    [["backup", "out", "--token", "tlxp_x"], "does not accept --token"],
  ])("are refused where they mean nothing: %j", async (args, sentence) => {
    const { code, stdout, stderr } = await telexHere([...args, "--json"], { cwd: await folder() });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(textAt(parse(stderr), "msg")).toContain(sentence);
    expect(stderr).not.toContain("tlxp_");
  });
});
