import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text as readAll } from "node:stream/consumers";
import { z } from "zod";
import { account } from "./tongues.ts";

const echoed = z.object({ echo: z.string() });

/** How an implementation speaks HTTP. */
export interface WebOptions {
  /** `127.0.0.1` if it is left out. */
  readonly host?: string;
  /** Any that is free if it is left out. */
  readonly port?: number;
  /** The token that Telex must show, and that signs events; `""` for none. */
  readonly token: string;
  /** Where events are posted. */
  readonly events: string;
  /** Called with each request of Telex. */
  readonly asked?: () => void;
}

/** The headers with which a body is posted. */
function headersOf(version: 11 | 12, token: string, body: string): Record<string, string> {
  const signature = `sha1=${createHmac("sha1", token).update(body).digest("hex")}`;
  const proof = version === 11 ? { "x-signature": signature } : { authorization: `Bearer ${token}` };
  return { "content-type": "application/json", "x-self-id": account, ...(token !== "" && proof) };
}

const notHttp = (): Error => new Error("This implementation does not speak HTTP.");

const isTelex = ({ headers }: IncomingMessage, token: string | undefined): boolean =>
  token === "" || headers.authorization === `Bearer ${token}`;

/** The HTTP side of an implementation. */
export function createWeb(version: 11 | 12, take: (frame: string) => void) {
  const waiting = new Map<string, ServerResponse>();
  const posted: number[] = [];
  let options: WebOptions | null = null;
  let broken = new AbortController();
  let last = Promise.resolve();
  let count = 0;
  const post = async ({ events, token }: WebOptions, body: string): Promise<number> => {
    const request = { method: "POST", headers: headersOf(version, token, body), body, signal: broken.signal };
    const { status } = await fetch(events, request);
    posted.push(status);
    return status;
  };
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body: unknown = JSON.parse(await readAll(incoming));
    const name = (incoming.url ?? "/").slice(1);
    if (!isTelex(incoming, options?.token)) return void response.writeHead(403).end();
    if ((version === 11) === (name === "")) return void response.writeHead(404).end();
    options?.asked?.();
    const echo = `w${(count += 1)}`;
    waiting.set(echo, response);
    const call = version === 11 ? { action: name, params: body } : z.record(z.string(), z.unknown()).parse(body);
    take(JSON.stringify({ ...call, echo }));
  };
  const server = createServer((incoming, response) => {
    // Anyone can reach it.
    answer(incoming, response).catch(() => response.destroy());
  });
  return {
    posted,
    /** Posts a text, and resolves with the status of the response. Rejects without a response. */
    post: async (text: string): Promise<number> => (options === null ? Promise.reject(notHttp()) : post(options, text)),
    async listen(given: WebOptions): Promise<string> {
      options = given;
      const { host = "127.0.0.1" } = given;
      server.listen(given.port ?? 0, host);
      await once(server, "listening");
      return `http://${host}:${z.object({ port: z.number() }).parse(server.address()).port}`;
    },
    /** Answers a request, or posts an event. False if this implementation does not speak HTTP. */
    tell(frame: unknown): boolean {
      const to = options;
      if (to === null) return false;
      const echo = echoed.safeParse(frame).data?.echo ?? "";
      const response = waiting.get(echo);
      waiting.delete(echo);
      if (response !== undefined) response.setHeader("content-type", "application/json").end(JSON.stringify(frame));
      else last = last.then(async () => void (await post(to, JSON.stringify(frame)))).catch(() => {});
      return true;
    },
    /** Breaks off all requests, in both directions. */
    drop(): void {
      broken.abort();
      broken = new AbortController();
      for (const response of waiting.values()) response.destroy();
      waiting.clear();
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
