// Records the output of the current version: a data folder, an export, a backup and a database of MongoDB, each with
// records of every kind. The tests open it with each later version. Needs a build, and Python for the server of MongoDB.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MongoClient } from "mongodb";
import { fillFolder } from "test-support/filled";
import { startMongo } from "test-support/mongo";
import { z } from "zod";
import { dump } from "./database.ts";
import { pack } from "./releases.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const manifest = z.looseObject({ version: z.string() });
const { version } = manifest.parse(JSON.parse(readFileSync(join(root, "packages/core/package.json"), "utf8")));
const amount = { messages: 50, files: 3 };

const telex = (...args: readonly string[]): void =>
  void execFileSync(process.execPath, [join(root, "packages/cli/bin/telex.cjs"), ...args], { stdio: "ignore" });

async function recordFolders(folder: string): Promise<void> {
  const data = join(folder, "data");
  mkdirSync(data);
  await fillFolder(data, amount);
  telex("export", join(folder, "export"), "--data", data, "--quiet");
  telex("backup", join(folder, "backup"), "--data", data, "--quiet");
}

async function recordDatabase(folder: string): Promise<void> {
  const server = await startMongo();
  try {
    const url = `${server.url}/release`;
    telex("import", join(folder, "export"), "--storage", url, "--quiet");
    const client = await new MongoClient(url).connect();
    writeFileSync(join(folder, "mongo.json"), await dump(client.db()));
    await client.close();
  } finally {
    await server.stop();
  }
}

const folder = mkdtempSync(join(tmpdir(), "telex-record-"));
try {
  await recordFolders(folder);
  await recordDatabase(folder);
  console.log(`Recorded ${version} in ${pack(folder, version)}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
