import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operator } from "@telex/core";
import { expect, it, onTestFinished } from "vitest";
import { foreign } from "./support/cache.ts";
import { pythonProgram } from "./support/python.ts";
import { runToSuccess } from "./support/run.ts";
import { startServer, taking } from "./support/server.ts";

/** A server whose only model accepts everything in the document, and a user whose quota outlasts a run. */
async function start() {
  const server = await startServer({ models: new Map([["taking", taking]]) });
  onTestFinished(() => server.close());
  const { telex, userId } = server;
  const max = 1_000_000;
  await telex.operator.quota.assign(operator, { userId, unit: "count", max, period: "daily" });
  return server;
}

/**
 * Operations that reject some requests although their schemas allow them: taken names, secrets and IDs, a second official bot, and
 * files that are not pictures.
 */
const refusing = [
  "operator.users.add",
  "operator.users.amend",
  "operator.users.putAvatar",
  "operator.groups.putAvatar",
  "operator.bots.add",
  "operator.bots.amend",
];

/** The settings of a run: both ways to send a token, and the statuses that are allowed in addition to those of the schemas. */
async function folderFor(token: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "telex-schemathesis-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const settings = `[auth.openapi]
header = { bearer = "${token}" }
query = { api_key = "${token}" }
[[operations]]
include-operation-id = ${JSON.stringify(refusing)}
checks.positive_data_acceptance.expected-statuses = ["2xx", 400, 401, 403, 404, 409, 422, 429]
`;
  await writeFile(join(folder, "schemathesis.toml"), settings);
  return folder;
}

/** A bounded number of examples, the same in each run. */
const bounds = ["--seed", "1", "--phases", "examples,coverage,fuzzing", "--no-color", "--max-examples"];

/** Prepares runs with a token. A run takes the number of examples and the operations, and returns the report. */
async function prepare(url: string, token: string) {
  const cwd = await folderFor(token);
  const env = { SCHEMATHESIS_HOOKS: join(foreign, "schemathesis-hooks.py") };
  return (examples: number, ...chosen: string[]) =>
    runToSuccess(
      pythonProgram("schemathesis"),
      ["run", `${url}/openapi.json`, ...bounds, String(examples), "--continue-on-failure", ...chosen],
      { cwd, env },
    );
}

const only = (...operations: string[]) => operations.flatMap((operation) => ["--include-operation-id", operation]);
const without = (...operations: string[]) => operations.flatMap((operation) => ["--exclude-operation-id", operation]);

// Revoking comes last, because it ends the token of the run. With three servers a run takes two minutes: 4,500 requests.
it("Schemathesis finds no difference between openapi.json and the server", { timeout: 1_200_000 }, async () => {
  const { telex, url, token } = await start();
  const check = await prepare(url, token);
  const revoke = "users.revokeToken";
  expect(await check(10, ...without(revoke))).toMatch(/Tested: [3-9]\d/);
  await expect(telex.authenticate(token)).resolves.toMatchObject({ kind: "token" });
  expect(await check(10, ...only(revoke))).toMatch(/Tested: 1\n/);
});

// The operations of bots come first, while there are no bots, because each call of a bot waits up to 20 s. Operations that end the run's token come last.
it("Schemathesis finds no difference for an admin", { timeout: 1_200_000 }, async () => {
  const { telex, url, userId } = await start();
  const { token } = await telex.operator.tokens.issue(operator, { userId, scopes: ["admin"] });
  const check = await prepare(url, token);
  const test = "operator.bots.test";
  const ending = ["operator.users.remove", "operator.tokens.revoke"];
  expect(await check(1, ...only(test))).toMatch(/Tested: 1\n/);
  const report = await check(2, "--include-path-regex", "/api/v1/admin/", ...without(test, ...ending));
  expect(report).toMatch(/Tested: 3\d/);
  await expect(telex.authenticate(token)).resolves.toMatchObject({ kind: "token" });
  expect(await check(10, ...only(...ending))).toMatch(/Tested: 2\n/);
});
