import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createLog, createSecurityFile } from "./log.ts";

const token = "tlxp_0123456789abcdefghijABCDEFGHIJ012345";

describe("the log", () => {
  let written: string;

  beforeEach(() => {
    written = "";
    vi.spyOn(process.stderr, "write").mockImplementation((chunk) => {
      written += String(chunk);
      return true;
    });
  });

  afterEach(() => vi.restoreAllMocks());

  it.each(["json", "pretty"] as const)("leaves out fields that nobody allowed, and every token (%s)", async (form) => {
    const log = await createLog(form, "info");
    log.info("call.done", { route: `/x?access_token=${token}`, body: "secret", userId: 7 });
    log.error("call.failed", { reason: `Bearer ${token}` }, new Error(`with ${token}`, { cause: new Error(token) }));
    expect(written).toContain("7");
    expect(written).not.toContain("secret");
    expect(written).not.toContain("tlxp_");
  });

  it("names the server in each line, if it has a name", async () => {
    const log = await createLog("json", "info", "server-2");
    log.info("call.done", { userId: 7 });
    expect(JSON.parse(written)).toMatchObject({ event: "call.done", server: "server-2", userId: 7 });
  });

  it("writes one JSON line for each event, whatever a text holds", async () => {
    const log = await createLog("json", "info");
    log.warn("call.strange", { reason: "a\nb\u001B[31m\u2028c", status: 400, code: undefined });
    log.error("call.failed", {}, new Error("first\nsecond"));
    const lines = written.trimEnd().split("\n");
    expect(lines).toHaveLength(2);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      level: "warn",
      event: "call.strange",
      reason: "a\\u{a}b\\u{1b}[31m\\u{2028}c",
      status: 400,
    });
    expect(lines[1]).toMatch(/"event":"call\.failed","error":\["Error: first","second"," +at /);
  });

  it("says as much as it was told to", async () => {
    const log = await createLog("json", "warn");
    log.info("a.happened");
    log.warn("b.happened");
    expect(written).not.toContain("a.happened");
    expect(written).toContain("b.happened");
  });
});

it("the log of security events makes its folder if another command has removed it while it was empty", async () => {
  const folder = await mkdtemp(join(tmpdir(), "telex-log-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "data", "security.log");
  const warnings: string[] = [];
  createSecurityFile(file, (text) => void warnings.push(text)).info("token.issued", { userId: 7 });
  expect(warnings).toEqual([]);
  expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ event: "token.issued", userId: 7 });
});
