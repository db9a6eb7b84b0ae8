import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { checkHandshake, createAcceptor, offeredProtocols } from "@telex/ws/acceptor";
import type { BotFaults, FaultCause } from "../../link/faults.ts";
import type { Incoming } from "../../link/incoming.ts";
import type { Link, LinkHooks } from "../../link/link.ts";
import { closeTime, frameSize, refuse, takeSocket } from "../../link/server-link.ts";
import { type Admission, admit, type AdmissionDeps, readWanted, refusalOf, type Wanted } from "./admission.ts";
import type { TokenHolder } from "@telex/core";

/** Maximum open connections of the frameworks of one user. */
const maxPerUser = 16;

interface SocketsDeps extends AdmissionDeps {
  readonly basePath: string;
  readonly faults: BotFaults;
  readonly incoming: Incoming;
  readonly serve: (link: Link, holder: TokenHolder, wanted: Wanted) => LinkHooks;
}

type Upgrade = readonly [request: IncomingMessage, socket: Duplex, head: Buffer];

const beforeClosed = (hooks: LinkHooks, act: () => void): LinkHooks => ({
  ...hooks,
  closed() {
    act();
    hooks.closed();
  },
});

/** The open connections, and their users. */
function createOpenLinks() {
  const links = new Map<Link, number>();
  return {
    keep(link: Link, userId: number, hooks: LinkHooks): LinkHooks {
      links.set(link, userId);
      return beforeClosed(hooks, () => links.delete(link));
    },
    countOf: (userId: number): number => links.values().reduce((count, id) => count + Number(id === userId), 0),
    close(code: number, userId?: number): void {
      for (const [link, id] of links) if (userId === undefined || id === userId) link.close(code);
    },
  };
}

/** Accepts the connections of frameworks: forward WebSocket. */
export function createSockets({ basePath, serve, faults, incoming, ...deps }: SocketsDeps) {
  const { log } = deps.telex;
  const acceptor = createAcceptor({ maxPayload: frameSize, closeTimeout: closeTime, log });
  const links = createOpenLinks();
  let isClosed = false;
  const accept = (wanted: Wanted, holder: TokenHolder, [request, socket, head]: Upgrade): void => {
    const fault = (cause: FaultCause): void => faults.tell(String(holder.userId), cause);
    const protocol = offeredProtocols(request.headers["sec-websocket-protocol"])?.[0];
    acceptor.accept({
      request,
      socket,
      head,
      protocol,
      open: (opened) =>
        takeSocket(opened, { incoming, fault }, (link) => links.keep(link, holder.userId, serve(link, holder, wanted))),
    });
  };
  /** The holder of the token, or the status of the refusal. */
  const decide = async (request: IncomingMessage, wanted: Wanted): Promise<Admission> => {
    const admission = await admit(deps, request, wanted);
    const isKnown = wanted.rest === "" || (wanted.version === 11 && wanted.role !== "universal");
    if (isClosed || deps.telex.isDraining()) return { status: 503 };
    if ("status" in admission) return admission;
    if (!isKnown) return { status: 404 };
    return links.countOf(admission.holder.userId) >= maxPerUser ? { status: 429 } : admission;
  };
  const enter = async (wanted: Wanted, upgrade: Upgrade): Promise<void> => {
    const [request, socket] = upgrade;
    const decision = await decide(request, wanted);
    if ("holder" in decision) {
      if (!socket.destroyed) accept(wanted, decision.holder, upgrade);
      return;
    }
    faults.tell("", ...refusalOf(decision.status, wanted));
    refuse(socket, decision.status);
  };
  return {
    handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
      const target = readWanted(request, basePath);
      if (target === null) return false;
      // Node removes its listeners when it hands over a socket.
      socket.on("error", () => socket.destroy());
      if (checkHandshake(request) === null) {
        enter(target, [request, socket, head]).catch((cause: unknown) => {
          log.error("onebot.upgrade_failed", {}, cause);
          refuse(socket, 500);
        });
      } else {
        faults.tell("", "bad_handshake");
        refuse(socket, 400);
      }
      return true;
    },
    /** Closes the connections of a user, or all. */
    close(code: number, userId?: number): void {
      isClosed ||= userId === undefined;
      links.close(code, userId);
    },
  };
}
