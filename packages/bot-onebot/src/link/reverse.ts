import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Logger } from "@telex/core";
import { checkHandshake, createAcceptor, type Socket } from "@telex/ws/acceptor";
import type { Account } from "../account/account.ts";
import type { BotFaults } from "../account/faults.ts";
import type { Admission } from "./doorman.ts";
import type { Guard } from "./guard.ts";
import { type Entrance, readEntrance } from "./places.ts";
import { closeTime, frameSize, hooksOf, linkOf, refuse } from "./server-link.ts";

/** What taking connections needs. */
interface ReverseDeps {
  readonly basePath: string;
  readonly admit: (entrance: Entrance) => Admission;
  readonly log: Logger;
  readonly faults: BotFaults;
  readonly guard: Guard;
  /** False before the start and after the end. */
  readonly isRunning: () => boolean;
}

/** Takes the upgrades of implementations that connect to Telex: reverse WebSocket. */
export function createReverse({ basePath, admit, log, faults, guard, isRunning }: ReverseDeps) {
  const acceptor = createAcceptor({ maxPayload: frameSize, closeTimeout: closeTime, log });

  const accept = (account: Account, entrance: Entrance, upgrade: Parameters<typeof handle>): void => {
    const [request, socket, head] = upgrade;
    const { role, version, protocol } = entrance;
    const open = (opened: Socket) => hooksOf(opened, account.connect(linkOf(opened), role, version));
    acceptor.accept({ request, socket, head, protocol, open });
  };
  function handle(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    const entrance = readEntrance(request, basePath);
    if (entrance === null) return false;
    // Node stops listening when it gives a socket away.
    socket.on("error", () => socket.destroy());
    if (!isRunning()) refuse(socket, 503);
    else if (checkHandshake(request) !== null) refuse(socket, 400);
    else if (guard.isBarred(request)) refuse(socket, 429);
    else {
      const admission = admit(entrance);
      if ("account" in admission) accept(admission.account, entrance, [request, socket, head]);
      else {
        guard.refused(request);
        faults.tell("", entrance.token === null ? "a connection without a token" : "a connection with a wrong token");
        refuse(socket, admission.status);
      }
    }
    return true;
  }
  return handle;
}
