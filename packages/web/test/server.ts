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

/** A server with everything that the pages need, and a user. */
export interface TestServer {
  readonly url: string;
  /** The file of the database. */
  readonly file: string;
  /** The instance behind it; another one after a restart. */
  readonly telex: Telex;
  /** The accounts of the server. Throws TypeError without any. */
  readonly auth: Auth;
  readonly userId: number;
  /** A token of the user with the scope `chat`. */
  readonly token: string;
  /** Another user, with a token of the scope `chat`. */
  readonly addUser: (nickname: string) => Promise<{ readonly token: string }>;
  /** A token of another user, with the scope `chat`. */
  readonly issueFor: (userId: number) => Promise<{ readonly token: string }>;
  /** Another token of the user. */
  readonly issueToken: (scopes: readonly string[]) => Promise<{ readonly id: number; readonly token: string }>;
  /** Cuts every connection, and ends; the database stays. */
  readonly stop: () => Promise<void>;
  /** Begins again, with the same database at the same address. */
  readonly start: () => Promise<void>;
  readonly close: () => Promise<void>;
}

interface Running {
  readonly telex: Telex;
  readonly auth: Auth | null;
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** The options of a server. */
export interface TestServerOptions {
  /** The models that can be asked. Default: the built-in one. */
  readonly models?: ReadonlyMap<string, ChatModel>;
  /** Origins whose pages may call. Default: none. */
  readonly cors?: readonly string[];
  /** Default: none. */
  readonly gateways?: readonly Gateway[];
  /** Default: none. */
  readonly plugins?: readonly Plugin[];
  /** The rules of accounts. Default: the server has none. */
  readonly accounts?: Partial<AuthOptions>;
  /** Default: the time of the system. */
  readonly clock?: Clock;
  /** False for a server that nobody has used. Default true. */
  readonly hasUser?: boolean;
  /** The name by which browsers reach the server. Default: an address, at which they have no passkeys. */
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

/** Starts a server on a free port. */
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
