import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { at, parse } from "test-support/json";
import { folder } from "test-support/command";
import { telexHere } from "./in-process.ts";

async function effective(
  args: readonly string[],
  options: Parameters<typeof telexHere>[1],
): Promise<(name: string) => unknown> {
  const { code, stdout, stderr } = await telexHere(["config", "--json", ...args], options);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const shown = parse(stdout);
  return (name) => at(shown, name);
}

describe("settings", () => {
  it("come from defaults, the file, the environment and flags, each outdoing the one before", async () => {
    const cwd = await folder();
    expect((await effective([], { cwd }))("port")).toEqual({ value: 7700, origin: "default" });
    await writeFile(join(cwd, "telex.config.json"), JSON.stringify({ port: 7001, rateLimits: false }));
    expect((await effective([], { cwd }))("port")).toEqual({ value: 7001, origin: "port in telex.config.json" });
    const env = { TELEX_PORT: "7002" };
    expect((await effective([], { cwd, env }))("port")).toEqual({ value: 7002, origin: "TELEX_PORT" });
    const shown = await effective(["--port", "7003"], { cwd, env });
    expect(shown("port")).toEqual({ value: 7003, origin: "--port" });
    expect(shown("rateLimits")).toEqual({ value: false, origin: "rateLimits in telex.config.json" });
  });

  it("have one name in three spellings", async () => {
    const cwd = await folder();
    await writeFile(
      join(cwd, "telex.config.mjs"),
      'export default { avatarUrlExtGroup: "https://file.example/{id}" };',
    );
    const name = "avatarUrlExtGroup";
    expect((await effective([], { cwd }))(name)).toMatchObject({ value: "https://file.example/{id}" });
    const env = { TELEX_AVATAR_URL_EXT_GROUP: "https://env.example/{id}" };
    expect((await effective([], { cwd, env }))(name)).toMatchObject({ value: "https://env.example/{id}" });
    const flags = ["--avatar-url-ext-group", "https://flag.example/{id}"];
    expect((await effective(flags, { cwd, env }))(name)).toMatchObject({ value: "https://flag.example/{id}" });
  });

  it("can be written in TypeScript, and in a file of any name", async () => {
    const cwd = await folder();
    await writeFile(
      join(cwd, "other.ts"),
      'const zone: string = "Asia/Shanghai";\nexport default { timeZone: zone, data: "d" };',
    );
    const shown = await effective(["--config", "other.ts"], { cwd });
    expect(shown("timeZone")).toMatchObject({ value: "Asia/Shanghai" });
    expect(shown("storage")).toEqual({ value: "sqlite:d/telex.db", origin: "default" });
  });

  it("take lengths of time, lists and switches in the natural form of a file", async () => {
    const cwd = await folder();
    const file = { unusedFileLife: "36h", avatarAllow: ["127.0.0.1:80", "[::1]:81"], trustProxy: true };
    await writeFile(join(cwd, "telex.config.json"), JSON.stringify(file));
    const { stdout } = await telexHere(["config"], { cwd });
    expect(stdout).toMatch(/unusedFileLife +36h /);
    expect(stdout).toMatch(/avatarAllow +127\.0\.0\.1:80,\[::1\]:81 /);
    expect(stdout).toMatch(/trustProxy +1 /);
  });

  it("are shown without their secrets, also as JSON", async () => {
    const cwd = await folder();
    const secret = "hunter2-0123";
    const env = {
      TELEX_STORAGE: `mongodb://me:${secret}@db.example/telex?tlsCertificateKeyFilePassword=${secret}`,
      TELEX_BLOBS: `unstorage:redis?url=redis://:${secret}@redis.example`,
      TELEX_BLOBS_SECRET_KEY: secret,
      TELEX_BACKUP_SECRET_KEY: secret,
      TELEX_BUS: `nats://me:${secret}@a.example:4222,tls://${secret}@b.example:4222`,
      TELEX_BASE_URL: `https://me:${secret}@telex.example`,
      TELEX_AVATAR_URL_EXT: `https://avatars.example/{id}?key=${secret}`,
      TELEX_AVATAR_URL_EXT_GROUP: `https://me:${secret}@avatars.example/{id}`,
      TELEX_AI_URL: `https://me:${secret}@ai.example`,
      TELEX_AI_KEY: secret,
      TELEX_URL: `https://me:${secret}@telex.example`,
      TELEX_TOKEN: secret,
    };
    const shown = await effective([], { cwd, env });
    expect(shown("bus")).toEqual({
      value: ["nats://me:********@a.example:4222", "tls://********@b.example:4222"],
      origin: "TELEX_BUS",
    });
    for (const args of [["config"], ["config", "--json"]]) {
      const { stdout, stderr } = await telexHere(args, { cwd, env });
      expect(stdout).toContain("nats://me:********@a.example:4222");
      expect(stdout + stderr).not.toContain(secret);
    }
  });

  it("refuse an unknown key of the file by name, with the nearest known one", async () => {
    const cwd = await folder();
    await writeFile(join(cwd, "telex.config.json"), '{"rate_limit": true}');
    const { code, stderr } = await telexHere(["config"], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('telex.config.json has the unknown key "rate_limit". Did you mean "rateLimits"?');
  });

  it("refuse two files, a missing one, and one that is not an object", async () => {
    const cwd = await folder();
    await writeFile(join(cwd, "telex.config.json"), "[]");
    expect((await telexHere(["config"], { cwd })).stderr).toContain("must contain one object");
    await writeFile(join(cwd, "telex.config.ts"), "export default {};");
    const two = await telexHere(["config"], { cwd });
    expect({ code: two.code, both: two.stderr.includes("telex.config.ts and telex.config.json") }).toEqual({
      code: 2,
      both: true,
    });
    const missing = await telexHere(["config", "--config", "nowhere.json"], { cwd });
    expect({ code: missing.code, named: missing.stderr.includes("nowhere.json does not exist") }).toEqual({
      code: 2,
      named: true,
    });
  });

  it("say of a wrong value where it stands and what would be right", async () => {
    const flag = await telexHere(["config", "--port", "70000"]);
    expect(flag.code).toBe(2);
    expect(flag.stderr).toContain('--port must be a whole number from 0 to 65535; "70000" is not.');
    const variable = await telexHere(["config"], { env: { TELEX_TIME_ZONE: "Mars/Olympus" } });
    expect(variable.code).toBe(2);
    expect(variable.stderr).toContain("TELEX_TIME_ZONE must be an IANA time zone");
  });

  it("warn of an unknown variable and go on", async () => {
    const { code, stderr } = await telexHere(["config"], { env: { TELEX_RATELIMITS: "off" } });
    expect(code).toBe(0);
    expect(stderr).toContain('TELEX_RATELIMITS is not a setting and is ignored. Did you mean "TELEX_RATE_LIMITS"?');
  });

  it("ignore the port that Kubernetes sets for a service named telex", async () => {
    const { code, stdout, stderr } = await telexHere(["config", "--json"], {
      env: { TELEX_PORT: "tcp://10.0.0.1:7700" },
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ port: { value: 7700, origin: "default" } });
    expect(JSON.parse(stderr)).toEqual({
      warning: expect.stringContaining("TELEX_PORT=tcp://10.0.0.1:7700") as unknown,
    });
  });

  it("show no secret: not a token, not a password, not a key", async () => {
    const env = {
      TELEX_TOKEN: "tlxp_verysecret",
      TELEX_STORAGE: "mongodb://me:hunter2@db.example/telex",
      TELEX_AVATAR_URL_EXT: "https://a.example/{id}?api_key=hunter3&s={size}",
    };
    const { stdout } = await telexHere(["config"], { env });
    const { stdout: json } = await telexHere(["config", "--json"], { env });
    for (const text of [stdout, json]) {
      expect(text).not.toMatch(/verysecret|hunter/);
      expect(text).toContain("mongodb://me:********@db.example/telex");
      expect(text).toContain("api_key=********&s={size}");
    }
  });

  it("that name a file are refused if the file cannot be used, and a folder if a file is there", async () => {
    const cwd = await folder();
    await writeFile(join(cwd, "notes.txt"), "");
    const ai = ["--ai-url", "http://127.0.0.1:9", "--ai-models", "m", "--ai-key-file"];
    for (const [args, said] of [
      [["--data", "notes.txt"], "--data must be a folder; "],
      [["--blobs", "notes.txt/blobs"], "--blobs must be a folder; "],
      [[...ai, "missing"], "aiKeyFile must be a file with the key and nothing else; missing cannot be used (ENOENT)."],
      [[...ai, "notes.txt"], "aiKeyFile must be a file with the key and nothing else; notes.txt cannot be used"],
    ] as const) {
      const { code, stderr } = await telexHere(["serve", "--port", "0", ...args], { cwd });
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(said) as unknown });
    }
  });

  it("tell no token in an error that a header would refuse", async () => {
    const cwd = await folder();
    await writeFile(join(cwd, "token.txt"), "tlxp_one\ntlxp_two\n");
    const list = ["device", "list", "--url", "http://127.0.0.1:9"];
    const typed = await telexHere(list, { env: { TELEX_TOKEN: "tlxp_one\ntlxp_two" } });
    const read = await telexHere([...list, "--token-file", "token.txt"], { cwd });
    expect([typed.code, read.code]).toEqual([2, 2]);
    expect(typed.stderr).toContain("TELEX_TOKEN must be letters, digits and punctuation of ASCII, without spaces");
    expect(read.stderr).toContain("The token file token.txt contains something else.");
    expect(typed.stderr + read.stderr).not.toContain("tlxp_");
  });

  it("tell no secret in an error", async () => {
    const wrong = {
      TELEX_AVATAR_URL_EXT: "ftp://me:hunter2@a.example/{id}",
      TELEX_BLOBS: "s3:https://me:hunter2/of@s3.example/bucket",
    };
    for (const [name, value] of Object.entries(wrong)) {
      const { code, stderr } = await telexHere(["config"], { env: { [name]: value } });
      expect([code, stderr]).toEqual([2, expect.stringContaining(`${name} must be`)]);
      expect(stderr).not.toContain("hunter2");
    }
  });
});
