import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { at, textAt } from "test-support/json";
import { grayPng } from "./pictures.ts";
import { folder, serve, telex, until } from "test-support/command";
import { answer, refusal, telexHere } from "./in-process.ts";

/** The HTTP status of a call with a token. */
async function statusOf(url: string, token: string): Promise<number> {
  const response = await fetch(`${url}/external/api/v1/oauth2/userId?access_token=${token}`);
  await response.body?.cancel();
  return response.status;
}

describe("users", () => {
  it("are added, listed, shown and changed", async () => {
    const cwd = await folder();
    const added = await answer(["user", "add", "张三", "--ext", "10001", "--phone", "555"], { cwd });
    expect(added).toMatchObject({ id: 1, nickname: "张三", ext: "10001", phone: "555", avatar: null });
    await answer(["user", "add", "Li Si"], { cwd });
    expect(await answer(["user", "list"], { cwd })).toMatchObject([{ id: 1 }, { id: 2, nickname: "Li Si", ext: null }]);
    expect(await answer(["user", "list", "--after", "1", "--limit", "1"], { cwd })).toMatchObject([{ id: 2 }]);
    expect(await answer(["user", "show", "1"], { cwd })).toEqual(added);
    const changed = await answer(["user", "set", "1", "--nickname", "三", "--phone", ""], { cwd });
    expect(changed).toEqual({ ...Object(added), nickname: "三", phone: null });
  });

  it("are models where they are given one, until it is taken away", async () => {
    const cwd = await folder();
    const added = await answer(["user", "add", "Echo", "--ai", "echo"], { cwd });
    expect(added).toMatchObject({ id: 1, nickname: "Echo", ai: "echo" });
    expect(await answer(["user", "set", "1", "--nickname", "回声"], { cwd })).toMatchObject({ ai: "echo" });
    expect(await answer(["user", "set", "1", "--ai", ""], { cwd })).toMatchObject({ nickname: "回声", ai: null });
  });

  it("may be models that only the server knows, with a warning", async () => {
    const cwd = await folder();
    const add = ["user", "add", "Fast", "--ai", "fast"];
    const { code, stdout, stderr } = await telex(add, { cwd });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: '⚠ No model "fast" is configured here, only echo. The server must know it.\n',
    });
    expect(stdout).toMatch(/^ai +fast$/m);
    const env = { TELEX_AI_URL: "http://127.0.0.1:9/v1", TELEX_AI_MODELS: "fast=llama3:8b@8192/1024" };
    expect(await telexHere(["user", "set", "1", "--ai", "fast", "--json"], { cwd, env })).toMatchObject({ stderr: "" });
    expect((await telexHere(["user", "set", "1", "--ai", "echo"], { cwd, env })).stderr).toContain("only fast");
  });

  it("get the picture of a file as avatar, stored like an upload", async () => {
    const cwd = await folder();
    await answer(["user", "add", "alice"], { cwd });
    await writeFile(join(cwd, "face.png"), grayPng(2, [[0, 255]]));
    const changed = await answer(["user", "set", "1", "--avatar", "face.png"], { cwd });
    expect(at(changed, "avatar")).toMatch(/^[0-9a-f]{32}$/);
    await writeFile(join(cwd, "text.txt"), "no picture");
    expect(await refusal(["user", "set", "1", "--avatar", "text.txt"], { cwd })).toMatchObject({ code: 1 });
    expect(await refusal(["user", "set", "1", "--avatar", "nowhere"], { cwd })).toMatchObject({
      code: 1,
      error: "unreadable_file",
    });
    expect(await answer(["user", "set", "1", "--avatar", ""], { cwd })).toMatchObject({ avatar: null });
  });

  it("are refused with the field that is wrong", async () => {
    const cwd = await folder();
    expect(await refusal(["user", "add", ""], { cwd })).toMatchObject({
      code: 2,
      error: "invalid_request",
      issues: [{ path: "nickname" }],
    });
    await answer(["user", "add", "alice", "--ext", "1"], { cwd });
    expect(await refusal(["user", "add", "bob", "--ext", "1"], { cwd })).toMatchObject({
      code: 1,
      issues: [{ path: "ext" }],
    });
    expect(await refusal(["user", "show", "99"], { cwd })).toMatchObject({ code: 1, error: "user_not_found" });
    expect(await refusal(["user", "show", "1.5"], { cwd })).toMatchObject({ code: 2, error: "invalid_request" });
    expect(await refusal(["user", "set", "1"], { cwd })).toMatchObject({ code: 2, error: "usage" });
  });

  it("are added with a token that works immediately, if --issue-token asks for it", async () => {
    const cwd = await folder();
    const server = await serve([], { cwd });
    const added = await answer(["user", "add", "alice", "--issue-token"], { cwd });
    expect(added).toMatchObject({ id: 1, nickname: "alice", token: expect.stringMatching(/^tlxp_/) as unknown });
    expect(await statusOf(server.url, textAt(added, "token"))).toBe(200);
    const { stdout, stderr } = await telexHere(["user", "add", "bob", "--issue-token"], { cwd });
    expect(stdout).toMatch(/^token {2}tlxp_\S+$/m);
    expect(stderr).toContain("not shown again");
    expect(stderr).not.toContain("tlxp_");
    expect(await answer(["token", "list"], { cwd })).toMatchObject([{ scopes: ["chat"] }, { scopes: ["chat"] }]);
  });

  it("are shown to a person without control characters", async () => {
    const cwd = await folder();
    await answer(["user", "add", "evil\u001B[2Jname"], { cwd });
    const { stdout } = await telexHere(["user", "list"], { cwd });
    expect(stdout).not.toContain("\u001B");
    expect(stdout).toContain("evil\\u{1b}[2Jname");
  });
});

describe("tokens", () => {
  it("are issued with scopes and a life, listed without themselves, and revoked by id or by themselves", async () => {
    const cwd = await folder();
    await answer(["user", "add", "alice"], { cwd });
    const scopes = ["--scope", "chat", "--scope", "device:kitchen"];
    const issued = await answer(["token", "issue", "--user", "1", ...scopes, "--expires", "30d"], { cwd });
    expect(issued).toMatchObject({ id: 1, userId: 1, scopes: ["chat", "device:kitchen"], revoked: false });
    const life = Date.parse(textAt(issued, "expiresAt")) - Date.parse(textAt(issued, "createdAt"));
    expect(life).toBe(30 * 86_400_000);
    const plain = await telexHere(["token", "issue", "--user", "1", "--scope", "profile", "--expires", "never"], {
      cwd,
    });
    expect(plain.stdout).toMatch(/^tlxp_[0-9A-Za-z]{36}\n$/);
    const listed = await telexHere(["token", "list", "--json"], { cwd });
    expect(listed.stdout).not.toContain("tlxp_");
    expect(JSON.parse(listed.stdout)).toMatchObject([{ id: 1 }, { id: 2, expiresAt: null }]);
    expect(await answer(["token", "list", "--limit", "1"], { cwd })).toMatchObject([{ id: 1 }]);
    expect(await answer(["token", "list", "--after", "1", "--limit", "1"], { cwd })).toMatchObject([{ id: 2 }]);
    expect(await answer(["token", "revoke", textAt(issued, "token")], { cwd })).toMatchObject({ id: 1, revoked: true });
    expect(await answer(["token", "revoke", "2"], { cwd })).toMatchObject({ id: 2, revoked: true });
    expect(await refusal(["token", "revoke", "3"], { cwd })).toMatchObject({ code: 1, error: "not_found" });
  });

  it("are refused without a scope, with an unknown one, and with a wrong life", async () => {
    const cwd = await folder();
    await answer(["user", "add", "alice"], { cwd });
    const issue = ["token", "issue", "--user", "1"];
    expect(await refusal(issue, { cwd })).toMatchObject({ code: 2, error: "usage" });
    expect(await refusal([...issue, "--scope", "root"], { cwd })).toMatchObject({ code: 2, error: "usage" });
    expect(await refusal([...issue, "--scope", "chat", "--expires", "soon"], { cwd })).toMatchObject({ code: 2 });
  });
});

describe("groups and quotas", () => {
  it("are added, listed and changed", async () => {
    const cwd = await folder();
    for (const name of ["alice", "bob", "carol"]) await answer(["user", "add", name], { cwd });
    const added = await answer(["group", "add", "--type", "1", "--name", "茶馆", "--owner", "1", "--member", "2"], {
      cwd,
    });
    expect(added).toMatchObject({ groupId: 1, groupType: 1, name: "茶馆" });
    expect(await answer(["group", "list"], { cwd })).toEqual([added]);
    const members = await answer(["group", "members", "1", "--add", "3", "--role", "2=moderator"], { cwd });
    expect(members).toMatchObject([{ role: "owner" }, { nickname: "bob", role: "moderator" }, { role: "member" }]);
    expect(await refusal(["group", "members", "9"], { cwd })).toMatchObject({ code: 1, error: "group_not_found" });
    expect(await refusal(["group", "add", "--type", "6", "--name", "x"], { cwd })).toMatchObject({ code: 2 });
  });

  it("show the configured quota of a user who has none of their own", async () => {
    const cwd = await folder();
    await answer(["user", "add", "alice"], { cwd });
    const env = { TELEX_QUOTA_MAX: "7", TELEX_QUOTA_PERIOD: "monthly" };
    expect(await answer(["quota", "show", "--user", "1"], { cwd, env })).toMatchObject({
      allocationMax: 7,
      allocationPeriod: "monthly",
    });
  });

  it("set a quota and show it in the period that runs", async () => {
    const cwd = await folder();
    await answer(["user", "add", "alice"], { cwd });
    expect(await answer(["quota", "show", "--user", "1"], { cwd })).toMatchObject({
      allocationMax: 100,
      messageCount: 0,
    });
    const set = ["quota", "set", "--user", "1", "--unit", "token", "--max", "5000", "--period", "weekly"];
    expect(await answer(set, { cwd })).toEqual({ userId: 1, unit: "token", max: 5000, period: "weekly" });
    expect(await answer(["quota", "show", "--user", "1"], { cwd })).toMatchObject({
      allocationUnit: "token",
      allocationMax: 5000,
      allocationPeriod: "weekly",
    });
  });
});

describe("files", () => {
  it("are swept when their time is over, and not before", async () => {
    const cwd = await folder();
    await answer(["user", "add", "alice"], { cwd });
    await writeFile(join(cwd, "face.png"), grayPng(2, [[0, 255]]));
    await answer(["user", "set", "1", "--avatar", "face.png"], { cwd });
    await answer(["user", "set", "1", "--avatar", ""], { cwd });
    expect(await answer(["files", "sweep"], { cwd })).toMatchObject({ files: 0 });
  });

  it("are taken out of service for good", async () => {
    const cwd = await folder();
    await answer(["user", "add", "alice"], { cwd });
    await writeFile(join(cwd, "face.png"), grayPng(2, [[0, 255]]));
    const avatar = textAt(await answer(["user", "set", "1", "--avatar", "face.png"], { cwd }), "avatar");
    expect(await answer(["files", "quarantine", avatar], { cwd })).toMatchObject({
      file_id: avatar,
      mime: "image/png",
    });
    expect(await refusal(["user", "set", "1", "--avatar", "face.png"], { cwd })).toMatchObject({ code: 1 });
    expect(await refusal(["files", "quarantine", "x"], { cwd })).toMatchObject({ code: 2, error: "invalid_request" });
    const unknown = ["files", "quarantine", "0".repeat(32)];
    expect(await refusal(unknown, { cwd })).toMatchObject({ code: 1, error: "file_not_found" });
  });
});

describe("operator commands", () => {
  it.each([
    ["user", "list"],
    ["token", "list"],
    ["group", "list"],
    ["quota", "show", "--user", "1"],
    ["files", "sweep"],
  ])("refuse memory: with a sentence that says why (%s %s)", async (...args) => {
    const { code, stdout, stderr } = await telexHere([...args, "--storage", "memory:"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("memory: exists in one process only");
  });

  it.each([
    ["user", "list"],
    ["user", "show", "1"],
    ["token", "list"],
    ["token", "issue", "--user", "1", "--scope", "chat"],
    ["group", "list"],
    ["group", "members", "1"],
    ["quota", "show", "--user", "1"],
    ["migrate", "status"],
    ["export", "out"],
  ])("refuse a folder without a database, and make none there (%s %s)", async (...args) => {
    const cwd = await folder();
    const command = [...args.filter((arg) => typeof arg === "string"), "--data", "mistyped"];
    expect(await refusal(command, { cwd })).toMatchObject({ code: 1, error: "storage_missing" });
    expect(existsSync(join(cwd, "mistyped"))).toBe(false);
  });

  it("refuse a storage that is not known, and a file that is not a database", async () => {
    const cwd = await folder();
    expect(await refusal(["user", "list", "--storage", "postgres://x"], { cwd })).toMatchObject({
      code: 2,
      error: "usage",
    });
    await writeFile(join(cwd, "notes.txt"), "This is a text of a person and no database at all.".repeat(100));
    expect(await refusal(["user", "list", "--storage", "sqlite:notes.txt"], { cwd })).toMatchObject({
      code: 1,
      error: "storage_not_a_database",
    });
    expect(await readFile(join(cwd, "notes.txt"), "utf8")).toContain("a text of a person");
  });

  it("work while a server runs, which sees the change within a second", async () => {
    const cwd = await folder();
    const server = await serve([], { cwd });
    await answer(["user", "add", "alice"], { cwd });
    const token = textAt(await answer(["token", "issue", "--user", "1", "--scope", "chat"], { cwd }), "token");
    expect(await statusOf(server.url, token)).toBe(200);
    await answer(["token", "revoke", "1"], { cwd });
    await until(async () => (await statusOf(server.url, token)) === 401);
  });
});

describe("users whom frameworks that speak OneBot reach", () => {
  it("are set, shown without the secret, and unset, while a server runs", async () => {
    const cwd = await folder();
    const server = await serve([], { cwd });
    const token = textAt(await answer(["user", "add", "bot", "--issue-token"], { cwd }), "token");
    const status = async (): Promise<number> => {
      const url = `${server.url}/external/api/v1/onebot/v11/get_login_info`;
      const response = await fetch(url, { method: "POST", headers: { authorization: `Bearer ${token}` } });
      await response.body?.cancel();
      return response.status;
    };
    expect(await status()).toBe(403);
    const on = await answer(["user", "set", "1", "--onebot", "on"], { cwd });
    expect(on).toMatchObject({ oneBot: { connect: null, hasSecret: false, protocol: 11, self: false } });
    await until(async () => (await status()) === 200);
    const given = ["--onebot-secret", "hidden-secret", "--onebot-protocol", "12", "--onebot-self", "on"];
    const { stdout, stderr } = await telexHere(["user", "set", "1", ...given], { cwd });
    expect(stdout).toMatch(/^onebot +on, with own messages$/m);
    expect(stdout + stderr).not.toContain("hidden-secret");
    const both = await telexHere(["user", "set", "1", "--onebot", "off", "--onebot-self", "on"], { cwd });
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining("--onebot off takes no other") as unknown });
    expect(await answer(["user", "set", "1", "--onebot", "off"], { cwd })).toMatchObject({ oneBot: null });
    await until(async () => (await status()) === 403);
  });
});
