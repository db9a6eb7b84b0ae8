import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folder, serve, telex, type TestServer } from "test-support/command";
import { at, listAt, parse, textAt } from "test-support/json";
import { telexHere } from "./in-process.ts";

const api = "/external/api/v1";

/** Posts as a page of the server. */
async function post(server: TestServer, path: string, body: object) {
  const headers = { origin: server.url.replace("127.0.0.1", "localhost"), "content-type": "application/json" };
  const response = await fetch(server.url + api + path, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: response.status, data: at(await response.json(), "data") };
}

const password = "a long password";

const joinWith = (link: string, username: string) => ({
  secret: link.trim().split("#", 2)[1] ?? "",
  username,
  password,
});

/** A storage with an admin, who has the id 1. */
async function withAdmin(): Promise<string> {
  const cwd = await folder();
  const added = await telexHere(["user", "add", "boss", "--admin", "--json"], { cwd, input: `${password}\n` });
  expect(added).toMatchObject({ code: 0, stderr: "" });
  expect(parse(added.stdout)).toEqual({ id: 1, username: "boss", role: "admin" });
  return cwd;
}

describe("telex user add --admin", () => {
  it("adds an admin who signs in with the password from stdin", async () => {
    const cwd = await withAdmin();
    const server = await serve([], { cwd });
    expect(server.log()).not.toContain("accounts.setup");
    const signedIn = await post(server, "/account/signIn", { username: "boss", password });
    expect(signedIn).toMatchObject({ status: 200, data: { id: 1, role: "admin" } });
  });

  it("refuses a common password and options of users without an account", async () => {
    const cwd = await folder();
    const weak = await telexHere(["user", "add", "boss", "--admin"], { cwd, input: "password123\n" });
    expect(weak).toMatchObject({ code: 1, stderr: expect.stringContaining("password") as unknown });
    const other = await telexHere(["user", "add", "boss", "--admin", "--issue-token"], { cwd, input: password });
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining("--username") as unknown });
  });
});

describe("telex user import", () => {
  it("opens the accounts of a table, all or none unless asked, and only once", async () => {
    const cwd = await withAdmin();
    await writeFile(join(cwd, "people.csv"), "username;nickname\ndora;Dora\nboss;\n;Nobody\n");
    const run = (...args: readonly string[]) => telexHere(["user", "import", "people.csv", ...args], { cwd });
    const refused = await run();
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain("line 4 (-): no_username");
    expect(parse((await run("--dry-run", "--json")).stdout)).toMatchObject([
      { line: 2, username: "dora", outcome: "new", id: null, url: null },
      { line: 3, outcome: "known", id: 1 },
      { line: 4, outcome: "no_username" },
    ]);
    const made = parse((await run("--skip-refused", "--json")).stdout);
    expect(made).toMatchObject([{ outcome: "new", id: 2 }, { outcome: "known" }]);
    const again = parse((await run("--skip-refused", "--json")).stdout);
    expect(again).toMatchObject([{ outcome: "waiting", id: 2 }, { outcome: "known" }]);
    const server = await serve([], { cwd });
    const recover = (list: unknown) =>
      post(server, "/account/recover", { secret: textAt(list, 0, "url").split("#", 2)[1] ?? "", password });
    expect((await recover(made)).status).toBe(410);
    expect(await recover(again)).toMatchObject({ status: 200, data: { username: "dora" } });
  });
});

describe("commands on accounts", () => {
  it.each(["the storage", "a running server"])("invite, sign out, promote and demote on %s", async (place) => {
    const cwd = await withAdmin();
    const issued = await telexHere(["token", "issue", "--user", "1", "--scope", "admin", "--quiet"], { cwd });
    const server = await serve([], { cwd });
    const remote = place === "the storage" ? [] : ["--url", server.url, "--token", issued.stdout.trim()];
    const run = async (...args: readonly string[]) => {
      const outcome = await telex([...args, ...remote, "--json"], { cwd });
      return outcome.stdout === "" ? parse(outcome.stderr.trim()) : parse(outcome.stdout);
    };
    const invitation = await run("user", "invite", "--nickname", "Carol");
    const joined = await post(server, "/account/join", joinWith(textAt(invitation, "url"), "carol"));
    expect(joined).toMatchObject({ status: 200, data: { id: 2, nickname: "Carol" } });
    expect(listAt(await run("session", "list", "2"))).toHaveLength(1);
    expect(await run("session", "end", "2")).toEqual({ ended: 1 });
    expect(listAt(await run("session", "list", "2"))).toEqual([]);
    expect(await run("user", "role", "2", "admin")).toEqual({ id: 2, role: "admin" });
    expect(await run("user", "role", "1", "none")).toEqual({ id: 1, role: null });
    const carol = { id: 2, username: "carol", role: "admin" };
    expect(await run("user", "accounts", "--after", "1")).toEqual([carol]);
    expect(await run("user", "accounts", "--limit", "1")).toMatchObject([{ id: 1, role: null }]);
    expect(await run("user", "unlink", "2", "https://id.example")).toMatchObject({ error: "not_found" });
  });

  it("say what there is not, and which command lists what there is", async () => {
    const cwd = await withAdmin();
    const failures = {
      "user show 99": 'The user does not exist. "telex user list" shows all users.',
      "quota show --user 99": 'The user does not exist. "telex user list" shows all users.',
      "client remove nosuch --yes": 'There is no application "nosuch". "telex client list" shows all applications.',
      "bot remove nosuch --yes": 'There is no account "nosuch". "telex bot list" shows all accounts.',
      "session end 1 nosuch": 'User 1 has no session "nosuch". "telex session list 1" shows them all.',
      "user unlink 1 https://id.example": "User 1 has no account at https://id.example.",
      "token revoke 99": 'There is no token 99. "telex token list" shows all tokens.',
      "group rename 99 Tea": '"telex group list" shows all chat rooms to operators.',
    };
    for (const [line, sentence] of Object.entries(failures)) {
      const { code, stderr } = await telexHere(line.split(" "), { cwd });
      expect([line, code, stderr]).toEqual([line, 1, expect.stringContaining(sentence)]);
    }
  });

  it.each(["the storage", "a running server"])("register, list and remove applications on %s", async (place) => {
    const cwd = await withAdmin();
    const issued = await telexHere(["token", "issue", "--user", "1", "--scope", "admin", "--quiet"], { cwd });
    const server = place === "the storage" ? null : await serve([], { cwd });
    const remote = server === null ? [] : ["--url", server.url, "--token", issued.stdout.trim()];
    const run = async (...args: readonly string[]) =>
      await telexHere(["client", ...args, ...remote, "--json"], { cwd });
    const ok = async (...args: readonly string[]): Promise<unknown> => parse((await run(...args)).stdout);
    const wiki = await ok("add", "Wiki", "--redirect", "https://wiki.example/cb", "--secret");
    expect(wiki).toMatchObject({ grants: ["code", "refresh"], scopes: ["openid", "profile"], hasSecret: true });
    const secret = textAt(wiki, "secret");
    const printer = await ok("add", "Printer", "--scopes", "device");
    expect(printer).toMatchObject({ grants: ["refresh", "device"], redirectUris: [], secret: null });
    const listed = await run("list");
    expect(new Set(listAt(parse(listed.stdout)).map((client) => at(client, "name")))).toEqual(
      new Set(["Printer", "Wiki"]),
    );
    expect(listed.stdout).not.toContain(secret);
    expect(await ok("remove", textAt(wiki, "id"))).toEqual({ id: textAt(wiki, "id"), removed: true });
    expect(listAt(await ok("list"))).toMatchObject([{ name: "Printer" }]);
    const again = await run("remove", textAt(wiki, "id"));
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("not_found") as unknown });
    const unsafe = await run("add", "Evil", "--redirect", "javascript:alert(1)");
    expect(unsafe).toMatchObject({ code: place === "the storage" ? 2 : 1, stdout: "" });
  });

  it("keep the last admin, except with --force in the shell", async () => {
    const cwd = await withAdmin();
    const demote = ["user", "role", "1", "none", "--json"];
    const refused = await telexHere(demote, { cwd });
    expect(refused.code).toBe(1);
    expect(parse(refused.stderr.trim())).toMatchObject({ error: "last_admin" });
    expect(await telexHere([...demote, "--force"], { cwd })).toMatchObject({ code: 0 });
  });

  it("set a password in the shell only, and sign the browsers out", async () => {
    const cwd = await withAdmin();
    await telexHere(["user", "add", "bob"], { cwd });
    const server = await serve([], { cwd });
    const open = ["user", "passwd", "2", "--username", "bob"];
    expect(await telexHere(open, { cwd, input: password })).toMatchObject({ code: 0 });
    expect(await post(server, "/account/signIn", { username: "bob", password })).toMatchObject({ status: 200 });
    const changed = await telexHere(["user", "passwd", "2", "--json"], { cwd, input: "another password" });
    expect(parse(changed.stdout)).toEqual({ id: 2, username: "bob" });
    expect(listAt(parse((await telexHere(["session", "list", "2", "--json"], { cwd })).stdout))).toEqual([]);
    const again = await post(server, "/account/signIn", { username: "bob", password: "another password" });
    expect(again).toMatchObject({ status: 200 });
    const remote = await telexHere(["user", "passwd", "2", "--url", server.url, "--token", "x"], { cwd });
    expect(remote).toMatchObject({ code: 2, stderr: expect.stringContaining("in a shell on the server") as unknown });
  });
});
