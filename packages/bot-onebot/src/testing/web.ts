import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text as readAll } from "node:stream/consumers";
import { z } from "zod";
import { account } from "./tongues.ts";

const echoed = z.object({ echo: z.string() });

/** How an implementation speaks HTTP. */
export interface WebOptions {
  readonly token: string;
  /** Where events are posted. */
  readonly events: string;
}

/** The HTTP side of an implementation. */
export function createWeb(version: 11 | 12, take: (frame: string) => void) {
  const waiting = new Map<string, ServerResponse>();
  const posted: number[] = [];
  let options: WebOptions | null = null;
  let last = Promise.resolve();
  let count = 0;
  const post = async ({ events, token }: WebOptions, body: string): Promise<void> => {
    const signature = `sha1=${createHmac("sha1", token).update(body).digest("hex")}`;
    const proof = version === 11 ? { "x-signature": signature } : { authorization: `Bearer ${token}` };
    const headers = { "content-type": "application/json", "x-self-id": account, ...proof };
    posted.push((await fetch(events, { method: "POST", headers, body })).status);
  };
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body: unknown = JSON.parse(await readAll(incoming));
    const name = (incoming.url ?? "/").slice(1);
    if (incoming.headers.authorization !== `Bearer ${options?.token}`) return void response.writeHead(403).end();
    if ((version === 11) === (name === "")) return void response.writeHead(404).end();
    const echo = `w${(count += 1)}`;
    waiting.set(echo, response);
    const asked = version === 11 ? { action: name, params: body } : z.record(z.string(), z.unknown()).parse(body);
    take(JSON.stringify({ ...asked, echo }));
  };
  const server = createServer((incoming, response) => void answer(incoming, response));
  return {
    posted,
    async listen(given: WebOptions): Promise<string> {
      options = given;
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      return `http://127.0.0.1:${z.object({ port: z.number() }).parse(server.address()).port}`;
    },
    /** Answers a request, or posts an event. False if this implementation does not speak HTTP. */
    tell(frame: unknown): boolean {
      const to = options;
      if (to === null) return false;
      const response = waiting.get(echoed.safeParse(frame).data?.echo ?? "");
      if (response === undefined) last = last.then(async () => post(to, JSON.stringify(frame))).catch(() => {});
      else response.setHeader("content-type", "application/json").end(JSON.stringify(frame));
      return true;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
