import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { checkHandshake, createAcceptor, offeredProtocols } from "@telex/ws/acceptor";
import type { Link, LinkHooks } from "../link/link.ts";
import { closeTime, frameSize, hooksOf, linkOf, refuse } from "../link/server-link.ts";
import { admit, type AdmissionDeps, readWanted, type Wanted } from "./admission.ts";
import type { TokenHolder } from "@telex/core";

/** Connections that the frameworks of one user may have open. */
const mostPerUser = 16;

/** What taking connections needs. */
interface SocketsDeps extends AdmissionDeps {
  readonly basePath: string;
  readonly serve: (link: Link, holder: TokenHolder, wanted: Wanted) => LinkHooks;
}

type Upgrade = readonly [request: IncomingMessage, socket: Duplex, head: Buffer];

/** Takes the connections of frameworks: forward WebSocket. */
export function createSockets({ basePath, serve, ...deps }: SocketsDeps) {
  const { log } = deps.telex;
  const acceptor = createAcceptor({ maxPayload: frameSize, closeTimeout: closeTime, log });
  const links = new Map<Link, number>();
  let isClosed = false;
  const accept = (wanted: Wanted, holder: TokenHolder, [request, socket, head]: Upgrade): void => {
    const protocol = offeredProtocols(request.headers["sec-websocket-protocol"])?.[0];
    acceptor.accept({
      request,
      socket,
      head,
      protocol,
      open(opened) {
        const link = linkOf(opened);
        links.set(link, holder.userId);
        const hooks = serve(link, holder, wanted);
        const closed = (): void => {
          links.delete(link);
          hooks.closed();
        };
        return hooksOf(opened, { ...hooks, closed });
      },
    });
  };
  const enter = async (wanted: Wanted, upgrade: Upgrade): Promise<void> => {
    const [request, socket] = upgrade;
    const admission = await admit(deps, request, wanted);
    const isKnown = wanted.rest === "" || (wanted.version === 11 && wanted.role !== "universal");
    if (isClosed) refuse(socket, 503);
    else if ("status" in admission) refuse(socket, admission.status);
    else if (!isKnown) refuse(socket, 404);
    else if ([...links.values()].filter((id) => id === admission.holder.userId).length >= mostPerUser)
      refuse(socket, 429);
    else if (!socket.destroyed) accept(wanted, admission.holder, upgrade);
  };
  return {
    handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
      const wanted = readWanted(request, basePath);
      if (wanted === null) return false;
      // Node stops listening when it gives a socket away.
      socket.on("error", () => socket.destroy());
      if (checkHandshake(request) !== null) refuse(socket, 400);
      else
        enter(wanted, [request, socket, head]).catch((cause: unknown) => {
          log.error("onebot.upgrade_failed", {}, cause);
          refuse(socket, 500);
        });
      return true;
    },
    /** Closes the connections of a user, or all. */
    close(code: number, userId?: number): void {
      isClosed ||= userId === undefined;
      for (const [link, id] of links) if (userId === undefined || id === userId) link.close(code);
    },
  };
}
