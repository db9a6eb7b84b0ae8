import { createMemoryBlobs } from "@telex/blobs/memory";
import { createTelex, operator, type Telex } from "@telex/core";
import { createSharpEngine } from "@telex/core/sharp";
import { createHttp, serveHttp, type Serving } from "@telex/http";
import { createMemoryStorage } from "@telex/storage-memory";
import { createWs } from "@telex/ws";
import { pages } from "../src/files/index.ts";

/** A server with everything that the pages need, and a user. */
export interface TestServer {
  readonly url: string;
  readonly telex: Telex;
  readonly userId: number;
  /** A token of the user with the scope `chat`. */
  readonly token: string;
  /** Another user, with a token of the scope `chat`. */
  readonly addUser: (nickname: string) => Promise<{ readonly token: string }>;
  /** Another token of the user. */
  issueToken(scopes: readonly string[]): Promise<{ readonly id: number; readonly token: string }>;
  /** Cuts every connection and stops listening; what is stored stays. */
  stop(): Promise<void>;
  /** Listens again, at the same address. */
  start(): Promise<void>;
  close(): Promise<void>;
}

interface Listening {
  readonly url: string;
  stop(): Promise<void>;
}

async function listen(telex: Telex, port: number): Promise<Listening> {
  const ws = createWs(telex, { others: "refuse" });
  const http = createHttp(telex, { pages });
  const serving: Serving = await serveHttp(http, {
    port,
    upgrade: (request, socket, head) => void ws.handleUpgrade(request, socket, head),
  });
  return {
    url: serving.url,
    async stop() {
      const closed = serving.close(0);
      await ws.close(0);
      await closed;
    },
  };
}

/** Starts a server on a free port. */
export async function startServer(nickname = "Ada"): Promise<TestServer> {
  const images = createSharpEngine();
  const telex = await createTelex({
    storage: createMemoryStorage(),
    blobs: createMemoryBlobs(),
    images,
    checkOutput: true,
  });
  const user = await telex.operator.users.add(operator, { nickname });
  const issueToken = async (scopes: readonly string[]) =>
    await telex.operator.tokens.issue(operator, { userId: user.id, scopes: [...scopes] });
  const { token } = await issueToken(["chat"]);
  let listening = await listen(telex, 0);
  const { url } = listening;
  return {
    url,
    telex,
    userId: user.id,
    token,
    issueToken,
    async addUser(name) {
      const other = await telex.operator.users.add(operator, { nickname: name });
      return await telex.operator.tokens.issue(operator, { userId: other.id, scopes: ["chat"] });
    },
    stop: () => listening.stop(),
    async start() {
      listening = await listen(telex, Number(new URL(url).port));
    },
    async close() {
      await listening.stop();
      await telex.close();
      await images.close();
    },
  };
}
