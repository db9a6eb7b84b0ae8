import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { type RawData, WebSocket, WebSocketServer } from "ws";
import { z } from "zod";
import { tongues } from "./tongues.ts";
import { createWeb, type WebOptions } from "./web.ts";

/** How an implementation waits for connections of Telex. */
export interface AcceptOptions {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** The token that Telex must show; `""` for none. */
  readonly token: string;
  /** Called with each connection. */
  readonly opened: (socket: WebSocket) => void;
}

/** The text of a message of the library `ws`. */
const textOfData = (data: RawData): string => (Buffer.isBuffer(data) ? data.toString() : "");

/** A server for connections of Telex that show the token. */
async function listenForTelex(
  { host, port, token }: AcceptOptions,
  protocol: string | undefined,
  opened: (socket: WebSocket) => void,
) {
  const server = new WebSocketServer({
    host,
    port,
    handleProtocols: () => protocol ?? false,
    verifyClient: ({ req }: { readonly req: IncomingMessage }) =>
      token === "" || req.headers.authorization === `Bearer ${token}`,
  });
  server.on("connection", opened);
  await once(server, "listening");
  return { close: () => server.close(), port: z.object({ port: z.number() }).parse(server.address()).port };
}

/** The WebSocket of an implementation, opened by either side. */
function createSocketWire(take: (text: string) => void) {
  let socket: WebSocket | null = null;
  return {
    use(opened: WebSocket): void {
      socket = opened;
      opened.on("message", (data) => take(textOfData(data)));
      // An error also ends the connection.
      opened.on("error", () => {});
    },
    write(text: string): void {
      if (socket?.readyState === WebSocket.OPEN) socket.send(text);
    },
    end: () => socket?.terminate(),
  };
}

/** The possible connections between an implementation and Telex, one of which is used. */
export function createWires(version: 11 | 12, take: (text: string) => void) {
  const tongue = tongues[version];
  const web = createWeb(version, take);
  const wire = createSocketWire(take);
  let closeServer = (): void => {};

  const tell = (frame: unknown): void => {
    if (!web.tell(frame)) wire.write(JSON.stringify(frame));
  };
  /** Accepts a connection of Telex: forward WebSocket. */
  const adopt = (opened: WebSocket): void => {
    wire.use(opened);
    tell(tongue.first);
  };

  return {
    /** Writes a text that need not be a frame. While no connection is open, it is lost. */
    write: (text: string): void => wire.write(text),
    tell,
    adopt,
    /** Connects to Telex: reverse WebSocket. */
    async connect(url: string, { token = "", headers = {}, protocols = tongue.protocols } = {}): Promise<WebSocket> {
      // NapCat sends the header also without a token.
      const all = { ...tongue.headers, authorization: `Bearer ${token}`, ...headers };
      const opened = new WebSocket(url, [...protocols], { headers: all });
      wire.use(opened);
      await once(opened, "open");
      tell(tongue.first);
      return opened;
    },
    /** Waits for connections of Telex: forward WebSocket. Returns its address. */
    async accept(options: AcceptOptions): Promise<string> {
      const server = await listenForTelex(options, tongue.protocols[0], (opened) => {
        adopt(opened);
        options.opened(opened);
      });
      closeServer = server.close;
      return `ws://${options.host}:${server.port}/`;
    },
    /** Takes the actions of Telex as requests, and posts its events: HTTP and webhook. Returns its address. */
    async listen(options: WebOptions): Promise<string> {
      const address = await web.listen(options);
      tell(tongue.first);
      return address;
    },
    /** The status of the response to each event that was posted. */
    posted: web.posted,
    /** Posts a text that need not be an event, and resolves with the status of the response. Rejects without a response. */
    post: (text: string): Promise<number> => web.post(text),
    /** Posts the first event again. */
    greet: (): Promise<number> => web.post(JSON.stringify(tongue.first)),
    /** Breaks off all requests, in both directions. */
    dropRequests: (): void => web.drop(),
    end() {
      wire.end();
      closeServer();
      web.close();
    },
  };
}
