import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { type Telex, TelexError } from "@telex/core";
import { failure, toBytes } from "../response/http-response.ts";
import type { Http } from "./app.ts";
import { createEnd, type NodeServer } from "./end.ts";
import { serveHttp, type ServeOptions, type Serving } from "./serve.ts";

/** The sockets of an instance: what `createWs` of `@telex/ws` returns, or a plug-in with a protocol of its own. */
export interface Sockets {
  /** Takes an `upgrade` event. False if the path does not belong to these sockets. */
  readonly handleUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
  /** Takes a request of a protocol of its own. False if the path does not belong to these sockets. Default: takes no request. */
  readonly handleRequest?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Closes every connection, and cuts those that are still open at `deadline` (Unix milliseconds). */
  close(deadline?: number): Promise<void>;
}

/** The parts of Telex that {@link mount} puts on a server. */
export interface MountOptions {
  readonly telex: Telex;
  /** Answers every request. Leave it out if a framework on the server calls `http.node` or `http.fetch`. */
  readonly http?: Pick<Http, "node">;
  /** Each takes every upgrade that is its own. Default: no sockets. */
  readonly ws?: Sockets | readonly Sockets[];
}

/** Telex on a server. */
export interface Mounted {
  /**
   * Stops everything in the right order, once: the server stops listening, answers the calls and commands in progress, closes sockets
   * with 1001, cuts the connections that are still open after `time`, and closes the storage last. Transports that have not closed another
   * `closeWait` later are logged (`transports.close_late`), and no longer waited for.
   * @param time milliseconds. Default: the limit `closeWait`
   */
  readonly close: (time?: number) => Promise<void>;
}

type Upgrade = NonNullable<ServeOptions["upgrade"]>;

const allOf = (ws: MountOptions["ws"] = []): readonly Sockets[] => [ws].flat();

/** Gives upgrades to the sockets. Refuses one that no socket takes, because Node would leave it open. */
function upgradeOf(all: readonly Sockets[], { otherLocale }: Telex, hasOthers: () => boolean): Upgrade {
  const refusal = toBytes(failure(new TelexError("not_found"), otherLocale));
  return (request, socket, head) => {
    if (all.some(({ handleUpgrade }) => handleUpgrade(request, socket, head)) || hasOthers()) return;
    socket.on("error", () => socket.destroy()).end(refusal);
  };
}

type Answer = Http["node"];

/** Gives a request to the first that takes it, beginning with the sockets. */
function answerOf(all: readonly Sockets[], node: Answer): Answer {
  const takers = all.flatMap(({ handleRequest }) => handleRequest ?? []);
  if (takers.length === 0) return node;
  return (request, response) => {
    if (!takers.some((take) => take(request, response))) node(request, response);
  };
}

/** Waits for transports, for up to `time` milliseconds: one that does not end must not keep the storage open. */
async function waitFor({ clock, log }: Telex, transports: Promise<unknown>, time: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<"late">();
  const cancel = clock.after(time, () => resolve("late"));
  const ended = await Promise.race([transports, late]).finally(cancel);
  if (ended === "late") log.warn("transports.close_late");
}

/** Ends sockets and server simultaneously, so that no new work begins while current work ends, and the storage after them. */
async function closeAll(telex: Telex, ws: readonly Sockets[], end: (time: number) => Promise<void>, time: number) {
  const deadline = telex.clock.now() + time;
  const ends = Promise.all([...ws.map((sockets) => sockets.close(deadline)), end(time)]);
  const transports = waitFor(telex, ends, time + telex.limits.closeWait);
  await telex.close(transports);
  await transports;
}

/**
 * Puts an instance on a Node server, and closes both together. Mount before the server listens.
 * @example
 * const ws = createWs(telex);
 * const http = createHttp(telex, { documents: { "/asyncapi.json": ws.asyncApi } });
 * const server = createServer();
 * const mounted = mount(server, { telex, http, ws });
 * server.listen(3000);
 * process.once("SIGTERM", () => void mounted.close());
 */
export function mount(server: NodeServer, { telex, http, ws }: MountOptions): Mounted {
  const end = createEnd(server);
  const all = allOf(ws);
  const upgrade = upgradeOf(all, telex, () => server.listenerCount("upgrade") > 1);
  if (http !== undefined) server.on("request", answerOf(all, http.node));
  if (all.length > 0) server.on("upgrade", upgrade);
  let closing: Promise<void> | undefined;
  return { close: (time = telex.limits.closeWait) => (closing ??= closeAll(telex, all, end, time)) };
}

/** The parts of Telex that {@link serve} serves, and the address. */
export interface ServeAllOptions extends Omit<ServeOptions, "upgrade"> {
  readonly telex: Telex;
  readonly http: Http;
  /** Each takes every upgrade that is its own. Default: no sockets. */
  readonly ws?: Sockets | readonly Sockets[];
}

/**
 * Listens for HTTP and sockets of an instance with the limits of a server that faces the network. `close` stops everything in the
 * right order, as that of {@link mount} does.
 * @throws Error when the address cannot be listened on: the instance is left open
 */
export async function serve({ telex, http, ws, ...where }: ServeAllOptions): Promise<Serving> {
  const all = allOf(ws);
  const upgrade = all.length === 0 ? {} : { upgrade: upgradeOf(all, telex, () => false) };
  const { limits, locale } = http;
  const serving = await serveHttp({ limits, locale, node: answerOf(all, http.node) }, { ...where, ...upgrade });
  let closing: Promise<void> | undefined;
  return { ...serving, close: (time) => (closing ??= closeAll(telex, all, serving.close, time)) };
}
