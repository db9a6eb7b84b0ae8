import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { telex } from "test-support/command";
import { telexHere } from "./in-process.ts";

describe("usage", () => {
  it("lists the commands with --help and exits with 0", async () => {
    const { code, stdout, stderr } = await telexHere(["--help"]);
    expect(code).toBe(0);
    for (const name of ["serve", "image", "device", "group", "user", "token", "quota", "files", "config", "doctor"]) {
      expect(stdout).toContain(`  ${name} `);
    }
    expect(stderr).toBe("");
  });

  it("explains each command with examples or options", async () => {
    for (const name of ["serve", "image", "device", "group", "user", "token", "quota", "files", "config", "doctor"]) {
      const { code, stdout } = await telexHere([name, "--help"]);
      expect({ name, code }).toEqual({ name, code: 0 });
      expect(stdout).toContain(`Usage: telex ${name}`);
    }
  });

  it("prints its version", async () => {
    expect((await telexHere(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+(-rc\.\d+)?\n$/);
  });

  it("prints help on stderr and exits with 2 when no command is named", async () => {
    const { code, stdout, stderr } = await telexHere([]);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain("Commands:");
  });

  it("refuses an unknown command with the nearest known one", async () => {
    const { code, stdout, stderr } = await telexHere(["sreve"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("sreve");
    expect(stderr).toContain("serve?");
  });

  it.each([
    [["sreve", "--help"], "serve?"],
    [["help", "sreve"], "serve?"],
    [["user", "lits", "--help"], "list?"],
    [["user", "help", "lits"], "list?"],
    [["--json", "sreve", "-h"], "serve?"],
  ])("refuses an unknown command also where its help is asked for (%j)", async (args, known) => {
    const { code, stdout, stderr } = await telexHere(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(known);
  });

  it("suggests nothing for a word that is like no command, flag or setting", async () => {
    for (const args of [["frobnicate"], ["frobnicate", "--help"], ["serve", "--frobnicate", "1"]]) {
      const { code, stderr } = await telexHere(args);
      expect({ code, suggests: stderr.includes("Did you mean") }).toEqual({ code: 2, suggests: false });
    }
    const { stderr } = await telexHere(["config"], { env: { TELEX_FROBNICATE: "1", TELEX_PROT: "1" } });
    expect(stderr).toContain("TELEX_FROBNICATE is not a setting and is ignored.\n");
    expect(stderr).toContain('TELEX_PROT is not a setting and is ignored. Did you mean "TELEX_PORT"?\n');
  });

  it("refuses an unknown flag by name with the nearest known one", async () => {
    const { code, stderr } = await telexHere(["serve", "--rate-limit", "off"]);
    expect(code).toBe(2);
    expect(stderr).toContain("--rate-limit'");
    expect(stderr).toContain("--rate-limits?");
  });

  it("tells what went wrong as one JSON object with --json", async () => {
    const { code, stdout, stderr } = await telexHere(["user", "add", "--json"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(JSON.parse(stderr)).toEqual({ error: "usage", msg: "Missing required argument 'nickname'" });
  });

  it("writes no colours into a pipe, and none with NO_COLOR", async () => {
    const plain = await telexHere(["config"]);
    expect(plain.stdout).not.toContain("\u001B");
    const forced = await telexHere(["config"], { env: { FORCE_COLOR: "1" } });
    expect(forced.stdout).toContain("\u001B");
    const refused = await telexHere(["config", "--no-color"], { env: { FORCE_COLOR: "1" } });
    expect(refused.stdout).not.toContain("\u001B");
  });

  it("completes commands and options", async () => {
    const script = await telex(["complete", "bash"]);
    expect({ code: script.code, empty: script.stdout === "" }).toEqual({ code: 0, empty: false });
    const commands = await telex(["complete", "--", ""]);
    expect(commands.stdout).toContain("serve");
    const options = await telex(["complete", "--", "image", "--"]);
    expect(options.stdout).toContain("--algo");
  });
});

describe("usage", () => {
  it("shows the help of a command of a command, as `help` or as an option", async () => {
    const { code, stdout } = await telexHere(["help", "device", "simulate"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Usage: telex device simulate /);
    expect(stdout).toBe((await telexHere(["device", "simulate", "--help"])).stdout);
    expect((await telexHere(["help", "device", "simulat"])).stderr).toContain("simulate?");
  });

  it("lists the command that prints the script of a shell", async () => {
    expect((await telexHere(["--help"])).stdout).toContain("  completion ");
    expect((await telexHere(["completion", "--help"])).stdout).toContain("powershell");
    const { code, stderr } = await telexHere(["completion", "tcsh"]);
    expect(code).toBe(2);
    expect(stderr).toContain("bash, zsh, fish, powershell");
  });

  it("names the option and all scopes if a scope is wrong, and how to give several", async () => {
    const { code, stderr } = await telexHere(["token", "issue", "--user", "1", "--scope", "chat,admin"]);
    expect(code).toBe(2);
    for (const word of ["--scope", "chat", "profile", "device:<deviceId>", "admin", "several times"])
      expect(stderr).toContain(word);
  });

  it("suggests a variable that looks like the wrong one, and no other", async () => {
    const env = { TELEX_FOO: "1", TELEX_PROT: "1", TELEX_LOGS: "1" };
    const { stderr } = await telexHere(["config"], { env });
    expect(stderr).toContain("TELEX_FOO is not a setting and is ignored.\n");
    expect(stderr).toContain('Did you mean "TELEX_PORT"?');
    expect(stderr).toContain('Did you mean "TELEX_LOG"?');
  });

  it("says that a file is not a picture", async () => {
    const file = fileURLToPath(import.meta.url);
    expect((await telexHere(["image", file])).stderr).toContain(`${file} is not a picture that can be read.`);
  });
});
