import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folder, serve, type TestServer, until } from "test-support/command";
import { at, listAt, textAt } from "test-support/json";
import { telexHere } from "./in-process.ts";

const api = "/external/api/v1";

/** The origin of the links of a server. */
const originOf = ({ url }: TestServer): string => url.replace("127.0.0.1", "localhost");

const secretOf = (link: string): string => link.trim().split("#", 2)[1] ?? "";

/** Posts as a page of the server, with a cookie if there is one. */
async function post(server: TestServer, path: string, body: object, cookie = "") {
  const response = await fetch(server.url + api + path, {
    method: "POST",
    headers: { origin: originOf(server), "content-type": "application/json", cookie },
    body: JSON.stringify(body),
  });
  const set = response.headers.get("set-cookie") ?? "";
  const answer: unknown = await response.json();
  return { status: response.status, data: at(answer, "data"), cookie: set.split(";", 1)[0] ?? "" };
}

const get = async (server: TestServer, path: string, cookie: string): Promise<unknown> =>
  at(await (await fetch(server.url + api + path, { headers: { origin: originOf(server), cookie } })).json(), "data");

const linkFiles = async (data: string): Promise<string[]> =>
  (await readdir(data)).filter((name) => name.endsWith(".link")).map((name) => join(data, name));

/** The path in the log of a server that made a set-up link. */
async function setupFile(server: TestServer): Promise<string> {
  const lines = () =>
    server
      .log()
      .split("\n")
      .filter((line) => line.includes('"accounts.setup"'));
  await until(() => Promise.resolve(lines().length > 0));
  return textAt(JSON.parse(lines()[0] ?? ""), "file");
}

const alice = { username: "alice", password: "a long password" };

describe("the set-up link of telex serve", () => {
  it("is in a file of its owner, which the log names, and makes one admin", async () => {
    const data = join(await folder(), "data");
    const server = await serve(["--data", data, "--server-id", "one"]);
    const file = await setupFile(server);
    expect(file).toBe(join(data, "setup-one.link"));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const link = await readFile(file, "utf8");
    expect(link).toMatch(new RegExp(`^${originOf(server)}/user/setup#tlxl_[0-9a-f]{40}\n$`));
    expect(server.log()).not.toContain(secretOf(link));
    expect(JSON.stringify(server.printed)).not.toContain("tlxl_");
    const opened = await post(server, "/account/setup", { secret: secretOf(link), ...alice });
    expect(opened).toMatchObject({ status: 200, data: { role: "admin" } });
    expect(await get(server, "/admin/users", opened.cookie)).toMatchObject([{ nickname: "alice" }]);
    await server.stop();
    const again = await serve(["--data", data, "--server-id", "one"]);
    expect(await linkFiles(data)).toEqual([]);
    expect(again.log()).not.toContain("accounts.setup");
  });

  it("ends when its server starts again", async () => {
    const data = join(await folder(), "data");
    const first = await serve(["--data", data, "--server-id", "one"]);
    const former = await readFile(await setupFile(first), "utf8");
    await first.stop();
    const second = await serve(["--data", data, "--server-id", "one"]);
    const latter = await readFile(await setupFile(second), "utf8");
    expect(await post(second, "/account/setup", { secret: secretOf(former), ...alice })).toMatchObject({ status: 410 });
    expect(await post(second, "/account/setup", { secret: secretOf(latter), ...alice })).toMatchObject({ status: 200 });
  });

  it("is not made where there are users", async () => {
    const cwd = await folder();
    await telexHere(["user", "add", "bob"], { cwd });
    const server = await serve([], { cwd });
    expect(await linkFiles(join(cwd, "telex-data"))).toEqual([]);
    expect(server.log()).not.toContain("accounts.setup");
  });
});

describe("the settings of accounts", () => {
  it("open and close registration", async () => {
    const open = await serve(["--storage", "memory:", "--data", await folder(), "--registration", "open"]);
    expect(await post(open, "/account/register", alice)).toMatchObject({ status: 200, data: { role: null } });
    const invited = await serve(["--storage", "memory:", "--data", await folder()]);
    expect(await post(invited, "/account/register", alice)).toMatchObject({
      status: 403,
      data: { error: "registration_closed" },
    });
  });
});

describe("the links of telex serve --demo", () => {
  it("sign alice and bob in; alice is the admin", async () => {
    const server = await serve(["--demo", "--storage", "memory:", "--data", await folder()]);
    const links = listAt(server.printed, "users").map((user) => textAt(user, "link"));
    const entered = await Promise.all(links.map((link) => post(server, "/account/enter", { secret: secretOf(link) })));
    expect(entered).toMatchObject([
      { status: 200, data: { nickname: "alice", role: "admin" } },
      { status: 200, data: { nickname: "bob", role: null } },
    ]);
    const rooms = await get(server, "/im/groups", entered[1]?.cookie ?? "");
    expect(JSON.stringify(rooms)).toContain("Teahouse");
  });

  it("end when the demo starts again", async () => {
    const cwd = await folder();
    const first = await serve(["--demo"], { cwd });
    await first.stop();
    const second = await serve(["--demo"], { cwd });
    const enter = (one: TestServer) =>
      post(second, "/account/enter", { secret: secretOf(textAt(one.printed, "users", 0, "link")) });
    expect(await enter(first)).toMatchObject({ status: 410 });
    expect(await enter(second)).toMatchObject({ status: 200 });
  });
});
