import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { type Auth, type AuthOptions, createAuth } from "@telex/auth-server";
import { createLogCollector } from "@telex/conformance/testing";
import { type ChatModel, type Clock, createTelex, type Gateway, operator, type Plugin, type Telex } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createHttp, serveHttp } from "@telex/http";
import { createRecent } from "@telex/metrics/recent";
import { reference } from "@telex/reference";
import { createSqliteStorage } from "@telex/storage-sqlite";
import { createWs } from "@telex/ws";
import { pages } from "../src/files/index.ts";

/** A server with all dependencies of the pages, and a user. */
export interface TestServer {
  readonly url: string;
  /** The path of the database. */
  readonly file: string;
  /** The current instance. A restart replaces it. */
  readonly telex: Telex;
  /** The accounts of the server. Throws a TypeError if it has none. */
  readonly auth: Auth;
  readonly userId: number;
  /** A token of the user with the scope `chat`. */
  readonly token: string;
  /** Adds a user with a token of the scope `chat`. */
  readonly addUser: (nickname: string) => Promise<{ readonly token: string }>;
  /** Issues a token of the scope `chat` for another user. */
  readonly issueFor: (userId: number) => Promise<{ readonly token: string }>;
  /** Issues another token for the user. */
  readonly issueToken: (scopes: readonly string[]) => Promise<{ readonly id: number; readonly token: string }>;
  /** Closes all connections, and stops the server. The database is kept. */
  readonly stop: () => Promise<void>;
  /** Starts the server again, with the same database and port. */
  readonly start: () => Promise<void>;
  readonly close: () => Promise<void>;
}

interface Running {
  readonly telex: Telex;
  readonly auth: Auth | null;
  readonly url: string;
  readonly stop: () => Promise<void>;
}

export interface TestServerOptions {
  /** The available models. Default: the built-in one. */
  readonly models?: ReadonlyMap<string, ChatModel>;
  /** Origins whose pages may call the server. Default: none. */
  readonly cors?: readonly string[];
  /** Default: none. */
  readonly gateways?: readonly Gateway[];
  /** Default: none. */
  readonly plugins?: readonly Plugin[];
  /** The options of accounts. Default: the server has none. */
  readonly accounts?: Partial<AuthOptions>;
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** False for a server without users. Default: true. */
  readonly hasUser?: boolean;
  /** The host in URLs. Default: an IP address, where browsers do not support passkeys. */
  readonly host?: "127.0.0.1" | "localhost";
}

async function run(
  file: string,
  port: number,
  { models, cors = [], gateways = [], plugins = [], accounts, clock, host = "127.0.0.1" }: TestServerOptions,
): Promise<Running> {
  const images = createSharpEngine();
  const storage = await createSqliteStorage({ file });
  const recent = createRecent(clock && { now: () => clock.now() });
  const telex = await createTelex({
    storage,
    plugins: [recent.plugin, ...plugins],
    log: recent.listen(createLogCollector(), null),
    blobs: createMemoryBlobs(),
    images,
    checkOutput: true,
    gateways,
    ...(clock && { clock }),
    ...(models === undefined ? {} : { models }),
  });
  const late = { url: "http://127.0.0.1" };
  const auth = accounts === undefined ? null : createAuth(telex, { storage, baseUrl: () => late.url, ...accounts });
  const entrance = auth && { authenticator: auth.authenticator };
  const ws = createWs(telex, { others: "refuse", ...entrance });
  const routes = [...(auth?.routes ?? []), ...recent.routes];
  const entries = { ...entrance, routes, ...(auth && { forms: auth.forms, mounts: auth.mounts }) };
  const serving = await serveHttp(
    createHttp(telex, { pages, reference, documents: { "/asyncapi.json": ws.asyncApi }, cors, ...entries }),
    {
      port,
      upgrade: (request, socket, head) => void ws.handleUpgrade(request, socket, head),
    },
  );
  late.url = serving.url.replace("127.0.0.1", host);
  return {
    telex,
    auth,
    url: late.url,
    async stop() {
      await Promise.all([ws.close(0), serving.close(0)]);
      await telex.close();
      await images.close();
    },
  };
}

export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), "telex-web-"));
  const file = join(folder, "telex.db");
  let running: Running | null = await run(file, 0, options);
  let { telex } = running;
  const { url } = running;
  const issueFor = (userId: number, scopes: readonly string[]) =>
    telex.operator.tokens.issue(operator, { userId, scopes: [...scopes] });
  const { hasUser = true } = options;
  const userId = hasUser ? (await telex.operator.users.add(operator, { nickname: "Ada" })).id : 0;
  const token = hasUser ? (await issueFor(userId, ["chat"])).token : "";
  const stop = async (): Promise<void> => {
    await running?.stop();
    running = null;
  };
  return {
    url,
    file,
    get telex() {
      return telex;
    },
    get auth() {
      const auth = running?.auth ?? null;
      if (auth === null) throw new TypeError("this server has no accounts");
      return auth;
    },
    userId,
    token,
    issueFor: (other) => issueFor(other, ["chat"]),
    issueToken: (scopes) => issueFor(userId, scopes),
    async addUser(name) {
      const other = await telex.operator.users.add(operator, { nickname: name });
      return await issueFor(other.id, ["chat"]);
    },
    stop,
    async start() {
      running = await run(file, Number(new URL(url).port), options);
      ({ telex } = running);
    },
    async close() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
