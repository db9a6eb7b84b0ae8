import { IncomingMessage, ServerResponse } from "node:http";
import { anonymous, TelexError } from "@telex/core";
import { fromNodeHandler, type H3 } from "h3";
import { addressOf } from "../exchange/address.ts";
import type { HandlerOptions } from "./handler.ts";

/** A path that a Node handler answers, in a server of Node. */
export interface NodeMount {
  /** Such as `/oauth2/**`. */
  readonly path: string;
  /**
   * Answers a request to its end.
   * @param address the address of the client, as the proxies in front report it; null if it is unknown
   */
  readonly handle: (req: IncomingMessage, res: ServerResponse, address: () => string | null) => Promise<void>;
}

type MountOptions = Pick<HandlerOptions, "telex" | "limiter" | "proxies">;

/** Refuses as OAuth does, in JSON without the envelope. */
function refuse(res: ServerResponse, status: number, error: string, retryAfter?: number): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  if (retryAfter !== undefined) res.setHeader("retry-after", String(Math.ceil(retryAfter)));
  res.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  res.end(JSON.stringify({ error }));
}

/** Ends the connection of a request whose body does not arrive in time, also after it was answered: the handler may read slowly, or not at all. */
function endLate(req: IncomingMessage, bodyTime: number): void {
  if (req.complete) return;
  const timer = setTimeout(() => {
    if (!req.complete) req.socket.destroy();
  }, bodyTime).unref();
  req.once("close", () => clearTimeout(timer));
}

/** Adds the paths of Node handlers to the framework. Their requests count in the rate of their address. */
export function addMounts(app: H3, mounts: readonly NodeMount[], { telex, limiter, proxies }: MountOptions): void {
  for (const { path, handle } of mounts) {
    const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
      endLate(req, telex.limits.bodyTime);
      const header = (name: string): string | null => req.headersDistinct[name]?.join(", ") ?? null;
      const address = () => addressOf({ address: req.socket.remoteAddress ?? null, header }, proxies);
      const { refusal } = limiter.count(anonymous, address, 1);
      if (refusal !== null) {
        refuse(res, 429, "temporarily_unavailable", refusal.retryAfter);
        return;
      }
      await handle(req, res, address).catch((cause: unknown) => {
        telex.log.error("http.failed", { operation: path }, TelexError.from(cause).cause ?? cause);
        refuse(res, 500, "server_error");
      });
    };
    app.all(
      path,
      fromNodeHandler(async (req, res) => {
        // A host that speaks HTTP/2 gives other classes.
        if (req instanceof IncomingMessage && res instanceof ServerResponse) await answer(req, res);
        else res.end();
      }),
    );
  }
}
