import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Logger } from "@telex/core";
import { checkHandshake, createAcceptor, type Socket } from "@telex/ws/acceptor";
import type { Account } from "../account/account.ts";
import type { BotFaults, FaultCause } from "../link/faults.ts";
import type { Incoming } from "../link/incoming.ts";
import type { Admission } from "./doorman.ts";
import type { Guard } from "../link/guard.ts";
import { type Entrance, readEntrance } from "../link/places.ts";
import { closeTime, frameSize, refuse, takeSocket } from "../link/server-link.ts";

interface ReverseDeps {
  readonly basePath: string;
  readonly admit: (entrance: Entrance) => Admission;
  readonly log: Logger;
  readonly faults: BotFaults;
  readonly guard: Guard;
  readonly incoming: Incoming;
  /** False before the start and after the end. */
  readonly isRunning: () => boolean;
}

type Upgrade = readonly [request: IncomingMessage, socket: Duplex, head: Buffer];

/** Admits a connection, or refuses it. */
type Decision = { readonly account: Account } | { readonly status: number; readonly cause: FaultCause | null };

/** Decides about a request by its headers. */
const createDecide =
  ({ admit, guard, isRunning }: Pick<ReverseDeps, "admit" | "guard" | "isRunning">) =>
  (request: IncomingMessage, entrance: Entrance): Decision => {
    if (!isRunning()) return { status: 503, cause: null };
    if (checkHandshake(request) !== null) return { status: 400, cause: "bad_handshake" };
    if (guard.isBarred(request)) return { status: 429, cause: "rate_limited" };
    const admission = admit(entrance);
    if ("account" in admission) return admission;
    guard.refused(request);
    return { ...admission, cause: entrance.token === null ? "missing_token" : "wrong_token" };
  };

/** Takes the upgrades of implementations that connect to Telex: reverse WebSocket. */
export function createReverse({ basePath, log, faults, incoming, ...deps }: ReverseDeps) {
  const acceptor = createAcceptor({ maxPayload: frameSize, closeTimeout: closeTime, log });
  const decide = createDecide(deps);

  const accept = (account: Account, entrance: Entrance, [request, socket, head]: Upgrade): void => {
    const { role, version, protocol } = entrance;
    const fault = (cause: FaultCause): void => faults.tell(account.options.account, cause);
    const open = (opened: Socket) =>
      takeSocket(opened, { incoming, fault }, (link) => account.connect(link, role, version));
    acceptor.accept({ request, socket, head, protocol, open });
  };
  return (...upgrade: Upgrade): boolean => {
    const [request, socket] = upgrade;
    const entrance = readEntrance(request, basePath);
    if (entrance === null) return false;
    // Node removes its listeners when it hands over a socket.
    socket.on("error", () => socket.destroy());
    const decision = decide(request, entrance);
    if ("account" in decision) accept(decision.account, entrance, upgrade);
    else {
      if (decision.cause !== null) faults.tell("", decision.cause);
      refuse(socket, decision.status);
    }
    return true;
  };
}
