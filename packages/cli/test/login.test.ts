import { spawn } from "node:child_process";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { createScene } from "@telex/conformance/testing";
import { createHttp, serveHttp } from "@telex/http";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createMemoryStorage } from "@telex/storage-memory";
import { at, parse, textAt } from "test-support/json";
import { folder, forAllTests, launcher, serve, telex } from "test-support/command";
import { telexHere } from "./in-process.ts";

const demo = forAllTests(async () => {
  const server = await serve(["--demo", "--storage", "memory:", "--data", await folder()]);
  const [alice, bob] = [0, 1].map((user) => textAt(server.printed, "users", user, "token"));
  return { url: server.url, alice: alice ?? "", bob: bob ?? "" };
});

/** A program that embeds Telex without accounts. */
async function startPlain() {
  const scene = await createScene({
    storage: createMemoryStorage(),
    blobs: createMemoryBlobs(),
    images: createSharpEngine(),
  });
  const { url, close } = await serveHttp(createHttp(scene.telex), { port: 0 });
  onTestFinished(() => close(0));
  const alice = await scene.issue(await scene.person("alice"), ["chat"]);
  return { url, alice, bob: "" };
}

async function home(server = demo()) {
  const config = await folder();
  const env = { XDG_CONFIG_HOME: config };
  return { ...server, env, file: join(config, "telex", "profiles.json") };
}

async function json(args: readonly string[], env: Readonly<Record<string, string>>): Promise<unknown> {
  const { code, stdout, stderr } = await telexHere([...args, "--json"], { env });
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: "" });
  return parse(stdout);
}

async function refusal(args: readonly string[], env: Readonly<Record<string, string>>) {
  const { code, stdout, stderr } = await telexHere([...args, "--json"], { env });
  expect(stdout).toBe("");
  return { code, error: at(parse(stderr), "error"), msg: textAt(parse(stderr), "msg") };
}

describe("telex login", () => {
  it("stores address and token where only the user can read them, and commands need neither", async () => {
    const { url, alice, env, file } = await home();
    const signedIn = await json(["login", "--url", url], { ...env, TELEX_TOKEN: alice });
    expect(signedIn).toEqual({ profile: "default", url, nickname: "alice" });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(file, ".."))).mode & 0o777).toBe(0o700);
    expect(parse(await readFile(file, "utf8"))).toEqual({ default: { url, token: alice } });
    expect(await json(["device", "list"], env)).toMatchObject([{ deviceId: "demo-printer" }]);
    expect(await json(["device", "send", "hi", "--id", "demo-printer"], env)).toMatchObject({ content: "hi" });
    expect(await json(["logout"], env)).toEqual({ profile: "default", removed: true, revoked: false });
    expect(await readFile(file, "utf8")).not.toContain(alice);
    expect(await refusal(["device", "send", "hi", "--id", "demo-printer"], env)).toMatchObject({ code: 2 });
    expect(await refusal(["logout"], env)).toMatchObject({ code: 1, error: "not_found" });
  });

  it("keeps several profiles, which --profile and TELEX_PROFILE choose", async () => {
    const { url, alice, bob, env } = await home();
    await json(["login", "--url", url, "--profile", "a"], { ...env, TELEX_TOKEN: alice });
    await json(["login", "--url", url, "--profile", "b"], { ...env, TELEX_TOKEN: bob });
    expect(await json(["device", "list", "--profile", "a"], env)).toMatchObject([{ deviceId: "demo-printer" }]);
    expect(await json(["device", "list"], { ...env, TELEX_PROFILE: "b" })).toEqual([]);
    // A token in the environment may belong to another server, so a profile that a flag names brings its own.
    expect(await json(["device", "list", "--profile", "b"], { ...env, TELEX_TOKEN: alice })).toEqual([]);
    const unknown = await refusal(["device", "list", "--profile", "c"], env);
    expect(unknown).toMatchObject({ code: 2, error: "usage", msg: expect.stringContaining("a, b") as unknown });
  });

  it("stores nothing where the token is refused, and shows it nowhere", async () => {
    const { url, env, file } = await home();
    const refused = await telex(["login", "--url", url, "--json"], { env: { ...env, TELEX_TOKEN: "tlxp_wrong" } });
    expect(refused.code).toBe(1);
    expect(parse(refused.stderr)).toMatchObject({ error: "invalid_token" });
    expect(refused.stderr).not.toContain("tlxp_wrong");
    await expect(stat(file)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("sends a stored token to no other address", async () => {
    const { url, alice, env } = await home();
    await json(["login", "--url", url], { ...env, TELEX_TOKEN: alice });
    await json(["login", "--url", url, "--profile", "a"], { ...env, TELEX_TOKEN: alice });
    const elsewhere = ["device", "list", "--url", "http://127.0.0.1:9"];
    expect(await refusal(elsewhere, env)).toMatchObject({ code: 2, error: "usage" });
    expect(await refusal([...elsewhere, "--profile", "a"], env)).toMatchObject({ code: 2, error: "usage" });
  });

  it("says which file is damaged, without its content", async () => {
    const { url, alice, env, file } = await home();
    await json(["login", "--url", url], { ...env, TELEX_TOKEN: alice });
    await writeFile(file, `{"default": {"token": "${alice}"`);
    const { error, msg } = await refusal(["device", "list"], env);
    expect({ error, names: msg.includes(file), shows: msg.includes(alice) }).toEqual({
      error: "profiles_unreadable",
      names: true,
      shows: false,
    });
  });

  it.each([
    ["a server without accounts", []],
    ["--with-token", ["--with-token"]],
  ])("asks for the token on a terminal for %s, and does not show it", async (_name, flags) => {
    const { url, alice, env, file } = await home(flags.length === 0 ? await startPlain() : demo());
    // `script` of util-linux gives the command a terminal.
    const command = [process.execPath, launcher, "login", "--url", url, ...flags].join(" ");
    const child = spawn("script", ["-qec", command, "/dev/null"], { env: { PATH: process.env["PATH"], ...env } });
    onTestFinished(() => void child.kill("SIGKILL"));
    const asked = Promise.withResolvers<null>();
    child.stdout.on("data", (chunk: Buffer) => chunk.toString().includes("Token") && asked.resolve(null));
    const shown = text(child.stdout);
    await asked.promise;
    child.stdin.write(`${alice}\r`);
    expect(await shown).toContain("You are alice");
    expect(await shown).not.toContain(alice.slice(0, 12));
    expect(parse(await readFile(file, "utf8"))).toMatchObject({ default: { token: alice } });
  });

  it("needs a token where a server has no accounts, and nobody can be asked", async () => {
    const { url, alice, env } = await home(await startPlain());
    expect(await refusal(["login", "--url", url], env)).toMatchObject({ code: 2, error: "usage" });
    expect(await json(["login", "--url", url], { ...env, TELEX_TOKEN: alice })).toMatchObject({ nickname: "alice" });
    expect(await json(["logout"], env)).toMatchObject({ revoked: false });
  });
});
