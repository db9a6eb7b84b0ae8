import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operator } from "@telex/core";
import { expect, it, onTestFinished } from "vitest";
import { foreign } from "./support/cache.ts";
import { pythonProgram } from "./support/python.ts";
import { runToSuccess } from "./support/run.ts";
import { startServer, taking } from "./support/server.ts";

/** A server whose only model takes all that the document describes, and a user whose quota a run does not use up. */
async function start() {
  const server = await startServer({ models: new Map([["taking", taking]]) });
  onTestFinished(() => server.close());
  const { telex, userId } = server;
  const max = 1_000_000;
  await telex.operator.quota.assign(operator, { userId, unit: "count", max, period: "daily" });
  return server;
}

/** A folder with the settings of a run: both ways to send a token, with the same token. */
async function folderFor(token: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "telex-schemathesis-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const settings = `[auth.openapi]\nheader = { bearer = "${token}" }\nquery = { api_key = "${token}" }\n`;
  await writeFile(join(folder, "schemathesis.toml"), settings);
  return folder;
}

/** Bounded, and the same examples in each run. */
const bounds = ["--max-examples", "10", "--seed", "1", "--phases", "examples,coverage,fuzzing", "--no-color"];

// Revoking is left for the end: it ends the token of the run. Two minutes with three servers: 4,500 requests, of which the servers take 30 s.
it("Schemathesis finds no difference between openapi.json and the server", { timeout: 600_000 }, async () => {
  const { telex, url, token } = await start();
  const cwd = await folderFor(token);
  const env = { SCHEMATHESIS_HOOKS: join(foreign, "schemathesis-hooks.py") };
  const check = (...more: string[]) =>
    runToSuccess(pythonProgram("schemathesis"), ["run", `${url}/openapi.json`, ...bounds, ...more], { cwd, env });
  const revoke = "users.revokeToken";
  const report = await check("--exclude-operation-id", revoke, "--continue-on-failure");
  expect(report).toMatch(/Tested: [3-9]\d/);
  await expect(telex.authenticate(token)).resolves.toMatchObject({ kind: "token" });
  expect(await check("--include-operation-id", revoke)).toMatch(/Tested: 1\n/);
});
