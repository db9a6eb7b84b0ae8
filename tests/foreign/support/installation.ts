import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFsBlobs } from "@telex/blobs/fs";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { createOneBot } from "@telex/bot-onebot";
import { createOneBotImplementation } from "@telex/bot-onebot/implementation";
import { createTelex, type Telex } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createHttp, serve } from "@telex/http";
import { createMongoStorage } from "@telex/storage-mongo";
import { createSqliteStorage } from "@telex/storage-sqlite";
import { createWs } from "@telex/ws";
import { onTestFinished } from "vitest";
import { start as startCommand } from "test-support/command";
import { startMongo } from "test-support/mongo";
import { freePort } from "test-support/port";
import { startProxy } from "./proxies.ts";

/** The number of servers that bots and frameworks use. */
export type ServerCount = 1 | 3;

/**
 * The numbers of servers to test with. Three servers take longer, so some tests use them only with `TELEX_FOREIGN_SERVERS=3`.
 */
export const serverCounts = (isAlways: boolean): readonly ServerCount[] =>
  isAlways || process.env["TELEX_FOREIGN_SERVERS"] === "3" ? [1, 3] : [1];

/** A server that tests end and restart at the same address. */
export interface InstalledServer {
  readonly name: string;
  /** Ends it: gracefully if it is the only one, otherwise with SIGKILL. */
  end(): Promise<void>;
  /** Resolves when it answers again. */
  begin(): Promise<void>;
}

/** Servers that bots and frameworks connect to. */
export interface Installation {
  /** The address for all clients: the only server, or the balancer. */
  readonly url: string;
  readonly servers: readonly InstalledServer[];
  /** The operator's operations on the same storage. */
  readonly operator: () => Telex["operator"];
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "telex-foreign-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A server in this process, on a file. */
async function openServer(file: string, port: number) {
  let address = "";
  const oneBot = createOneBot();
  const implementation = createOneBotImplementation({ baseUrl: () => address });
  const telex = await createTelex({
    storage: await createSqliteStorage({ file }),
    blobs: createFsBlobs({ directory: `${file}.blobs` }),
    images: createSharpEngine(),
    plugins: [oneBot.plugin, implementation.plugin],
  });
  const ws = [createWs(telex), oneBot, implementation];
  const serving = await serve({ telex, http: createHttp(telex), ws, port });
  address = serving.url;
  onTestFinished(() => serving.close(0));
  return { telex, ...serving };
}

async function installOne(): Promise<Installation> {
  const [file, port] = [join(await makeFolder(), "telex.db"), await freePort()];
  let server = await openServer(file, port);
  return {
    url: server.url,
    operator: () => server.telex.operator,
    servers: [
      {
        name: "the only server",
        end: () => server.close(0),
        begin: async () => void (server = await openServer(file, port)),
      },
    ],
  };
}

/** The shipped command. Resolves when it listens. */
async function startServer(args: readonly string[]) {
  const child = startCommand(["serve", "--json", ...args], { cwd: await makeFolder() });
  const ended = once(child, "exit");
  const log: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => log.push(chunk));
  const first = await Promise.race([once(child.stdout, "data"), ended.then(() => null)]);
  if (first === null) throw new Error(`A server did not start:\n${Buffer.concat(log).toString()}`);
  return async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
  };
}

async function installServer(args: readonly string[], name: string, port: number): Promise<InstalledServer> {
  const all = [...args, "--port", String(port), "--server-id", name];
  let end = await startServer(all);
  return { name, end: () => end(), begin: async () => void (end = await startServer(all)) };
}

/** An operator's instance on the database, without connections to bots. */
async function openOperator(url: string): Promise<Telex> {
  const storage = await createMongoStorage({ url });
  const telex = await createTelex({ storage, blobs: createMemoryBlobs(), images: createSharpEngine() });
  onTestFinished(() => telex.close());
  return telex;
}

/** Three processes on one database, behind the balancer of the example. */
export async function installThree(): Promise<Installation & { readonly database: string }> {
  const mongo = await startMongo();
  onTestFinished(() => mongo.stop());
  const database = `${mongo.url}/telex`;
  const telex = await openOperator(database);
  const [port, first, second, third] = [await freePort(), await freePort(), await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  // All clients have one address here, so limits per address are meaningless.
  const args = ["--storage", database, "--base-url", url, "--trust-proxy", "on", "--rate-limits", "off"];
  const servers = await Promise.all(
    [first, second, third].map((own, index) => installServer(args, `server-${index + 1}`, own)),
  );
  const at = (own: number): string => `http://127.0.0.1:${own}`;
  await startProxy("several-servers/nginx.conf", [at(first), at(second), at(third)], { port });
  return { url, database, servers, operator: () => telex.operator };
}

/** Starts servers until the test is over. */
export const install = (count: ServerCount): Promise<Installation> => (count === 1 ? installOne() : installThree());
