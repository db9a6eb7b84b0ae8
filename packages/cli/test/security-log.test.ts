import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { at, parse, textAt } from "test-support/json";
import { grayPng } from "./pictures.ts";
import { folder, lastJson, serve } from "test-support/command";
import { telexHere } from "./in-process.ts";

async function run(args: readonly string[], cwd: string): Promise<unknown> {
  const { code, stdout, stderr } = await telexHere([...args, "--json"], { cwd });
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: "" });
  return parse(stdout);
}

async function eventsIn(file: string): Promise<readonly unknown[]> {
  const text = await readFile(file, "utf8");
  expect(text).toMatch(/\n$/);
  return text.trimEnd().split("\n").map(parse);
}

describe("security.log", () => {
  it("tells what the commands of the operator did, in the form of the server's log, without a token", async () => {
    const cwd = await folder();
    await run(["user", "add", "alice"], cwd);
    const token = textAt(await run(["token", "issue", "--user", "1", "--scope", "chat"], cwd), "token");
    await run(["user", "set", "1", "--nickname", "Alice"], cwd);
    await run(["token", "revoke", token], cwd);
    await run(["group", "add", "--type", "1", "--name", "Kitchen", "--member", "1"], cwd);
    await run(["quota", "set", "--user", "1", "--unit", "token", "--max", "5", "--period", "daily"], cwd);
    await writeFile(join(cwd, "face.png"), grayPng(2, [[0, 255]]));
    const avatar = textAt(await run(["user", "set", "1", "--avatar", "face.png"], cwd), "avatar");
    await run(["files", "quarantine", avatar], cwd);
    await run(["user", "remove", "1"], cwd);
    const file = join(cwd, "telex-data", "security.log");
    const by = { level: "info", by: "operator", time: expect.stringMatching(/^\d{4}-.*Z$/) as unknown };
    expect(await eventsIn(file)).toEqual([
      { ...by, event: "user.added", userId: 1 },
      { ...by, event: "token.issued", userId: 1, tokenId: 1 },
      { ...by, event: "user.changed", userId: 1 },
      { ...by, event: "token.revoked", userId: 1, tokenId: 1 },
      { ...by, event: "group.changed", groupId: 1, members: "1" },
      { ...by, event: "quota.changed", userId: 1 },
      { ...by, event: "user.changed", userId: 1 },
      { ...by, event: "file.quarantined", md5: avatar },
      { ...by, event: "user.removed", userId: 1 },
    ]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, "utf8")).not.toContain("tlx");
  });

  it("has the devices that a command renamed or removed", async () => {
    const cwd = await folder();
    const server = await serve(["--demo"], { cwd });
    await run(["device", "rename", "demo-printer", "Printer", "--data", "telex-data"], cwd);
    await run(["device", "remove", "demo-printer", "--data", "telex-data"], cwd);
    expect(await server.stop()).toBe(0);
    expect(await eventsIn(join(cwd, "telex-data", "security.log"))).toMatchObject([
      { event: "device.changed", by: "operator", deviceId: "demo-printer" },
      { event: "device.unregistered", by: "operator", deviceId: "demo-printer" },
    ]);
  });

  it("has a whole line of each of many commands that run simultaneously", async () => {
    const cwd = await folder();
    await run(["user", "add", "alice"], cwd);
    const issue = ["token", "issue", "--user", "1", "--scope", "chat"];
    await Promise.all(Array.from({ length: 6 }, () => run(issue, cwd)));
    const events = await eventsIn(join(cwd, "telex-data", "security.log"));
    const issued = events.filter((event) => at(event, "event") === "token.issued").map((event) => at(event, "tokenId"));
    expect(new Set(issued)).toEqual(new Set([1, 2, 3, 4, 5, 6]));
  });

  it("is next to a database that is elsewhere", async () => {
    const cwd = await folder();
    await run(["user", "add", "alice", "--storage", "sqlite:records/telex.db", "--data", "files"], cwd);
    expect(await eventsIn(join(cwd, "records", "security.log"))).toMatchObject([{ event: "user.added" }]);
    expect(await readdir(join(cwd, "files"))).not.toContain("security.log");
  });

  it("is not made by commands that change nothing or fail", async () => {
    const cwd = await folder();
    const server = await serve([], { cwd });
    await run(["user", "list"], cwd);
    expect((await telexHere(["user", "remove", "9"], { cwd })).code).toBe(1);
    expect(await readdir(join(cwd, "telex-data"))).not.toContain("security.log");
    expect(await server.stop()).toBe(0);
  });

  it("is missed aloud where it cannot be written: the command has done its work", async () => {
    const cwd = await folder();
    await mkdir(join(cwd, "telex-data", "security.log"), { recursive: true, mode: 0o700 });
    await chmod(join(cwd, "telex-data"), 0o700);
    const { code, stdout, stderr } = await telexHere(["user", "add", "alice", "--json"], { cwd });
    expect({ code, id: at(parse(stdout), "id") }).toEqual({ code: 0, id: 1 });
    expect(textAt(lastJson(stderr), "warning")).toContain("user.added");
  });
});
