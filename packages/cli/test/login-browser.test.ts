import { writeFile, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listAt, parse, textAt } from "test-support/json";
import { folder, forAllTests, type RunOptions, serve, telex, type TestServer } from "test-support/command";
import { call, secretOf } from "./account-people.ts";
import { telexHere } from "./in-process.ts";

/** A browser in which a person is signed in: it opens the page of the code, and presses a button. */
const browser = `#!${process.execPath}
const { COOKIE: cookie, ANSWER: answer } = process.env;
const { origin, searchParams } = new URL(process.argv[2]);
const code = searchParams.get("user_code");
for (const [step, body] of [["lookup", { code }], ["approve", { code, allow: answer === "allow" }]]) {
  const headers = { origin, cookie, "content-type": "application/json" };
  await fetch(origin + "/external/api/v1/account/device/" + step, { method: "POST", headers, body: JSON.stringify(body) });
}
`;

/** A server where alice is signed in. Its limit lets a person answer two codes in a minute. */
async function startServer(args: readonly string[] = []) {
  const data = await folder();
  const server = await serve(["--demo", "--storage", "memory:", "--data", data, ...args]);
  const secret = secretOf(textAt(server.printed, "users", 0, "link"));
  const { cookie } = await call(server, "/account/enter", { body: { secret } });
  const program = join(data, "browser.mjs");
  await writeFile(program, browser, { mode: 0o700 });
  return { server, cookie, program };
}

const demo = forAllTests(() => startServer());

type Scene = Awaited<ReturnType<typeof startServer>>;

async function home({ cookie, program }: Scene, answer = "allow") {
  const config = await folder();
  const env = { XDG_CONFIG_HOME: config, BROWSER: program, COOKIE: cookie, ANSWER: answer };
  return { env, file: join(config, "telex", "profiles.json") };
}

async function json(args: readonly string[], env: RunOptions["env"] = {}): Promise<unknown> {
  const { code, stdout, stderr } = await telexHere([...args, "--json"], { env });
  expect({ args, code, stderr: code === 0 ? "" : stderr }).toEqual({ args, code: 0, stderr: "" });
  return parse(stdout);
}

async function refusal(args: readonly string[], env: RunOptions["env"] = {}): Promise<unknown> {
  const { stdout, stderr } = await telexHere([...args, "--json"], { env });
  expect(stdout).toBe("");
  return parse(stderr.trim().split("\n").at(-1) ?? "");
}

const applicationsOf = async ({ server, cookie }: Scene): Promise<readonly unknown[]> =>
  listAt((await call(server, "/account/applications", { method: "GET", cookie })).data, "list");

/** Ends what alice has granted. */
async function endAll(scene: Scene): Promise<void> {
  for (const one of await applicationsOf(scene)) {
    const { server, cookie } = scene;
    await call(server, `/account/applications/${textAt(one, "id")}`, { method: "DELETE", cookie });
  }
}

/** Makes the access token of the default profile look expired. */
async function age(file: string): Promise<void> {
  const profiles = await readFile(file, "utf8");
  await writeFile(file, profiles.replace(/"expiresAt": \d+/, '"expiresAt": 0'));
}

const callWith = async ({ url }: TestServer, token: string): Promise<number> =>
  (await fetch(`${url}/external/api/v1/oauth2/userId`, { headers: { authorization: `Bearer ${token}` } })).status;

describe("telex login with a browser", () => {
  it("signs in who confirms the code there, until telex logout", async () => {
    const scene = demo();
    const { server } = scene;
    const { env, file } = await home(scene);
    const signedIn = await telexHere(["login", "--url", server.url], { env });
    expect(signedIn).toMatchObject({ code: 0, stdout: "" });
    expect(signedIn.stderr).toMatch(/Open http:\/\/localhost:\d+\/user\/device in a browser, and type this code:/);
    expect(signedIn.stderr).toMatch(/\n {4}[B-Z]{4}-[B-Z]{4}\n/);
    expect(signedIn.stderr).toContain("You are alice");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await json(["device", "list"], env)).toMatchObject([{ deviceId: "demo-printer" }]);
    expect(await applicationsOf(scene)).toMatchObject([{ client: { id: "telex-cli" } }]);
    const token = textAt(JSON.parse(await readFile(file, "utf8")), "default", "token");
    expect(await callWith(server, token)).toBe(200);
    expect(await json(["logout"], env)).toEqual({ profile: "default", removed: true, revoked: true });
    expect(await callWith(server, token)).toBe(401);
    expect(await applicationsOf(scene)).toEqual([]);
    expect(await refusal(["device", "send", "hi", "--id", "demo-printer"], env)).toMatchObject({ error: "usage" });
  });

  it("says that the person refused, and stores nothing", async () => {
    const { env, file } = await home(demo(), "deny");
    expect(await refusal(["login", "--url", demo().server.url], env)).toMatchObject({ error: "refused" });
    await expect(stat(file)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("ends the former sign-in of the profile", async () => {
    const scene = await startServer();
    const { env } = await home(scene);
    await json(["login", "--url", scene.server.url], env);
    await json(["login", "--url", scene.server.url], env);
    expect(await applicationsOf(scene)).toHaveLength(1);
  });

  it("tells a person whose access has ended to sign in again, and forgets the profile although the server is away", async () => {
    const scene = await startServer();
    const { env, file } = await home(scene);
    await json(["login", "--url", scene.server.url], env);
    await endAll(scene);
    await age(file);
    expect(await refusal(["device", "list"], env)).toMatchObject({
      error: "signed_out",
      msg: expect.stringContaining("telex login") as unknown,
    });
    await scene.server.stop();
    expect(await refusal(["device", "list"], env)).toMatchObject({ error: "unreachable" });
    expect(await json(["logout"], env)).toEqual({ profile: "default", removed: true, revoked: false });
    expect(await refusal(["login", "--url", scene.server.url], env)).toMatchObject({ error: "unreachable" });
  });

  it("renews a token once for commands that run in parallel", async () => {
    const scene = await startServer(["--refresh-grace-seconds", "0"]);
    const { env, file } = await home(scene);
    await json(["login", "--url", scene.server.url], env);
    for (let round = 0; round < 2; round += 1) {
      await age(file);
      const all = await Promise.all(Array.from({ length: 4 }, () => telex(["device", "list", "--json"], { env })));
      expect(all.map(({ code, stderr }) => ({ code, stderr }))).toEqual(all.map(() => ({ code: 0, stderr: "" })));
    }
    expect(await applicationsOf(scene)).toHaveLength(1);
  });

  it("takes a token where its operator has switched it off", async () => {
    const { server, program } = await startServer(["--command-line-login", "off"]);
    const { env } = await home({ server, cookie: "", program });
    expect(await refusal(["login", "--url", server.url], env)).toMatchObject({
      error: "usage",
      msg: expect.stringContaining("--token-file") as unknown,
    });
    const token = textAt(server.printed, "users", 0, "token");
    expect(await json(["login", "--url", server.url], { ...env, TELEX_TOKEN: token })).toMatchObject({
      nickname: "alice",
    });
  });
});
