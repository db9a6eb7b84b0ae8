import { readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type Program, runProgram } from "./program.ts";

const text = { id: 7, content: "二\nlines", title: "Tea", priority: 5 };

const run = (command: string, program: Partial<Program> = {}) =>
  runProgram({ command, timeout: 30, kept: 1000, ...program }, text);

/** True for a process that was not killed. A killed one whose parent does not reap it stays in the list, without a command. */
const isRunning = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "";
  } catch {
    return false;
  }
};

describe("a program that takes a text", () => {
  it("gets the text as its input, and its properties but no token in its environment", async () => {
    vi.stubEnv("TELEX_TOKEN", "tlxp_secret");
    vi.stubEnv("CREDENTIALS_DIRECTORY", "/run/credentials/telex");
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await run("cat")).toEqual({ fault: null, output: "二\nlines" });
    const { output } = await run("env | grep -e ^TELEX -e ^CREDENTIALS | sort");
    expect(output).toBe("TELEX_TEXT_ID=7\nTELEX_TEXT_PRIORITY=5\nTELEX_TEXT_TITLE=Tea\n");
  });

  it("fails with its code and the last line of its errors", async () => {
    expect(await run("echo first >&2; echo no paper >&2; exit 3")).toEqual({
      fault: "the program ended with 3: no paper",
      output: "",
    });
    expect((await run("kill -9 $$")).fault).toBe("the program was ended by SIGKILL");
    expect((await run("no-such-program")).fault).toMatch(/^the program ended with 127: /);
  });

  it("may end without reading a text", async () => {
    const content = "x".repeat(1_000_000);
    expect(await runProgram({ command: "exit 0", timeout: 30, kept: 0 }, { ...text, content })).toMatchObject({
      fault: null,
    });
  });

  it("may print more than is kept", async () => {
    const { fault, output } = await run("yes | head -c 50000000; head -c 1000000 /dev/zero >&2", { kept: 5 });
    expect({ fault, output }).toEqual({ fault: null, output: "y\ny\ny" });
  });

  it("is killed with all its processes when it takes too long, also if it ignores SIGTERM", async () => {
    const { fault, output } = await run("trap '' TERM; sleep 1000 & echo $!; wait", { timeout: 1, grace: 10 });
    expect(fault).toBe("the program was stopped after 1 s");
    await vi.waitUntil(() => !isRunning(Number(output)));
  });

  it("takes what it left behind with it", async () => {
    const { fault, output } = await run("sleep 1000 & echo $!");
    expect(fault).toBeNull();
    await vi.waitUntil(() => !isRunning(Number(output)));
  });
});
