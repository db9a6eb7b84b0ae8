import { spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { listAt, parse, textAt } from "test-support/json";
import { folder, launcher, serve, telex } from "test-support/command";

/** Runs the command on a terminal of 80 columns, which `script` of util-linux makes, and types an answer when it is asked for. */
async function onTerminal(
  args: string,
  options: { cwd: string; env?: Readonly<Record<string, string>>; answers?: Readonly<Record<string, string>> },
): Promise<{ readonly code: number | null; readonly shown: string }> {
  const { cwd, env = {}, answers = {} } = options;
  const command = `stty cols 80; '${process.execPath}' '${launcher}' ${args}`;
  const place = { PATH: process.env["PATH"], TERM: "xterm", XDG_CONFIG_HOME: cwd, ...env };
  const child = spawn("script", ["-qec", command, "/dev/null"], { cwd, env: place });
  onTestFinished(() => void child.kill("SIGKILL"));
  const open = new Map(Object.entries(answers));
  let shown = "";
  child.stdout.on("data", (chunk: Buffer) => {
    shown += stripVTControlCharacters(chunk.toString());
    for (const [question, answer] of open) {
      if (!shown.includes(question)) continue;
      open.delete(question);
      child.stdin.write(answer);
    }
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, shown };
}

async function namesIn(cwd: string): Promise<readonly string[]> {
  const { stdout } = await telex(["user", "list", "--json"], { cwd });
  return listAt(parse(stdout)).map((user) => textAt(user, "nickname"));
}

describe("a command that deletes something, on a terminal", () => {
  it("asks first, and changes nothing unless the answer is yes", async () => {
    const cwd = await folder();
    await telex(["user", "add", "alice"], { cwd });
    const question = "Remove user 1 (alice)";
    const refused = await onTerminal("user remove 1", { cwd, answers: { [question]: "n" } });
    expect(refused.code).toBe(1);
    expect(refused.shown).toContain("✖ Nothing was changed.");
    const cancelled = await onTerminal("user remove 1", { cwd, answers: { [question]: "\u0003" } });
    expect(cancelled.code).toBe(1);
    expect(await namesIn(cwd)).toEqual(["alice"]);
    const agreed = await onTerminal("user remove 1", { cwd, answers: { [question]: "y" } });
    expect(agreed).toMatchObject({
      code: 0,
      shown: expect.stringContaining("✔ User 1 (alice) is removed.") as unknown,
    });
    expect(await namesIn(cwd)).toEqual([]);
  });

  it("does not ask with --yes or --json", async () => {
    const cwd = await folder();
    for (const name of ["alice", "bob"]) await telex(["user", "add", name], { cwd });
    for (const args of ["user remove 1 --yes", "user remove 2 --json"]) {
      const { code, shown } = await onTerminal(args, { cwd });
      expect({ code, asks: shown.includes("?") }).toEqual({ code: 0, asks: false });
    }
    expect(await namesIn(cwd)).toEqual([]);
  });
});

describe("telex login on a terminal", () => {
  it("asks for the address of the server, too", async () => {
    const cwd = await folder();
    const server = await serve(["--demo", "--storage", "memory:", "--data", cwd]);
    const token = textAt(server.printed, "users", 0, "token");
    // The default stands there to be edited: Ctrl-U deletes it.
    const answers = { "Address of the server": `\u0015${server.url}\r`, "Token (not shown)": `${token}\r` };
    const { code, shown } = await onTerminal("login --with-token", { cwd, answers });
    expect({ code, token: shown.includes(token) }).toEqual({ code: 0, token: false });
    expect(shown).toContain(`You are alice at ${server.url}`);
  });

  it("refuses what is not an address", async () => {
    const cwd = await folder();
    const { code, shown } = await onTerminal("login", { cwd, answers: { "Address of the server": "\u0015telex\r" } });
    expect(code).toBe(2);
    expect(shown).toContain("✖ The address must be");
  });
});

describe("telex top on a terminal", () => {
  it.each(["q", "\u0003"])("ends when a person presses %j", async (key) => {
    const cwd = await folder();
    const data = await folder();
    await telex(["user", "add", "alice", "--data", data]);
    const issue = ["token", "issue", "--user", "1", "--scope", "admin", "--data", data];
    const token = (await telex(issue)).stdout.trim();
    const own = await serve(["--data", data]);
    const env = { TELEX_URL: own.url, TELEX_TOKEN: token };
    const { code, shown } = await onTerminal("top --interval 60s", { cwd, env, answers: { "q ends it": key } });
    expect(code).toBe(0);
    expect(shown).toContain(own.url);
  });
});

describe("lines in addition to a result", () => {
  const noise = { TELEX_FROBNICATE: "1" };
  const said = async (...flags: readonly string[]): Promise<string> => {
    const { code, stderr } = await telex(["user", "add", "alice", ...flags], { cwd: await folder(), env: noise });
    expect(code).toBe(0);
    return stderr;
  };

  it("have a sign for their level, and --quiet leaves them out", async () => {
    expect(await said()).toMatch(/^⚠ TELEX_FROBNICATE is not a setting .*\nℹ Give alice a token: .*\n$/);
    expect(await said("--quiet")).toBe("");
  });

  it("are only the warnings with --json, as JSON", async () => {
    const lines = (await said("--json")).trimEnd().split("\n");
    expect(lines.map((line) => textAt(parse(line), "warning"))).toEqual([
      "TELEX_FROBNICATE is not a setting and is ignored.",
    ]);
  });
});
