import type { IncomingMessage, ServerResponse } from "node:http";
import type { Telex, TokenHolder } from "@telex/core";
import { createOutgoing } from "@telex/outgoing";
import { actingFor, createInTurn, type OneBotUser } from "@telex/core/transport";
import { createBotFaults } from "../link/faults.ts";
import { createIncoming } from "../link/incoming.ts";
import { limiterOf } from "../link/guard.ts";
import { createSlots } from "@telex/ws/acceptor";
import type { Link, LinkHooks, Role } from "../link/link.ts";
import type { Version } from "../wire/dialect.ts";
import { readWanted } from "./connections/admission.ts";
import { serveConnection } from "./connections/connection.ts";
import type { Actor, Context } from "./context.ts";
import { createLoad } from "./connections/load.ts";
import { createMemberships } from "./rooms/memberships.ts";
import { createMessageRooms } from "./rooms/message-rooms.ts";
import type { OneBotImplementation, OneBotImplementationOptions } from "./options.ts";
import { createOutward } from "./connections/outward.ts";
import { createRequests } from "./connections/requests.ts";
import { createRoomBook } from "./rooms/room-book.ts";
import { createSockets } from "./connections/sockets.ts";
import { createStagedUploads } from "./staged-uploads.ts";

/** Maximum milliseconds and bytes for a picture or file that a framework names by its address. */
const media = { timeout: 30_000, maxBytes: 100 * 2 ** 20 } as const;

/** Maximum requests and `_async` actions of an account in progress. */
const maxInProgress = 32;

/** The close codes at the end of the instance, and for an account that OneBot can no longer use. */
const closeCodes = { going: 1001, off: 4403 } as const;

function createContext(
  telex: Telex,
  { baseUrl, mediaAllow = [], appVersion = "1" }: OneBotImplementationOptions,
): Context {
  const outgoing = createOutgoing({ allow: mediaAllow, ...media });
  const rooms = createRoomBook(telex);
  return {
    telex,
    rooms,
    messageRooms: createMessageRooms(telex, rooms),
    staged: createStagedUploads(telex, telex.clock),
    inProgress: createSlots(maxInProgress),
    load: createLoad(),
    turns: createInTurn(),
    fetchMedia: (url, signal) => outgoing.open(url, signal),
    faults: createBotFaults({
      clock: telex.clock,
      log: telex.log,
      observer: () => telex.observer,
      source: "onebot-implementation",
    }),
    baseUrl: typeof baseUrl === "string" ? () => baseUrl : baseUrl,
    appVersion,
  };
}

/** Reads for each user whether they want events for their own messages. */
function createSettings(telex: Telex) {
  const own = new Map<number, boolean>();
  return {
    tellsOwn: (userId: number) => own.get(userId) === true,
    async find(userId: number): Promise<OneBotUser | null> {
      const [user] = await telex.oneBots(userId);
      if (user === undefined) own.delete(userId);
      else own.set(userId, user.self);
      return user ?? null;
    },
  };
}

/** An implementation on one instance. */
export function createRunning(telex: Telex, options: OneBotImplementationOptions) {
  const { basePath = "", trustProxy = false, incoming = createIncoming() } = options;
  const limiter = limiterOf(options.rateLimiter);
  const context = createContext(telex, options);
  const memberships = createMemberships(telex, context.rooms);
  const settings = createSettings(telex);
  // A framework has no form for questions about tools.
  const actorOf = (holder: TokenHolder, version: Version): Actor => ({
    ...context,
    holder: { ...holder, canAnswer: false },
    version,
  });
  const serve = (link: Link, actor: Actor, role: Role): LinkHooks => {
    const { userId } = actor.holder;
    const tellsOwn = (): boolean => settings.tellsOwn(userId);
    return serveConnection({ actor, link, role, tellsOwn, began: memberships.begin, limiter });
  };
  const { faults } = context;
  const door = { telex, limiter, proxies: Number(trustProxy), basePath, faults, incoming };
  const sockets = createSockets({
    ...door,
    serve(link, holder, { version, role }) {
      void settings.find(holder.userId).catch(() => {});
      return serve(link, actorOf(holder, version), role);
    },
  });
  const actorFor = (user: OneBotUser): Actor => actorOf(actingFor(user.userId), user.protocol);
  const outward = createOutward({
    telex,
    limiter,
    incoming,
    actorOf: actorFor,
    began: memberships.begin,
    serve: (link, user) => serve(link, actorFor(user), "universal"),
  });
  const fits = createInTurn();
  // One after the other: an earlier read must not replace a later one.
  const fit = (userId: number): Promise<void> =>
    fits.run(String(userId), async () => {
      const user = await settings.find(userId);
      if (user === null) sockets.close(closeCodes.off, userId);
      outward.fit(userId, user);
    });
  return {
    handleUpgrade: (...upgrade: Parameters<OneBotImplementation["handleUpgrade"]>) => sockets.handleUpgrade(...upgrade),
    handleRequest: createRequests({ ...door, actorOf: (holder, { version }) => actorOf(holder, version) }),
    roomChanged: (groupId: number) => memberships.changed(groupId),
    async userChanged(userId: number): Promise<void> {
      context.rooms.forgetNames(userId);
      await fit(userId);
    },
    async start(): Promise<void> {
      for (const { userId } of await telex.oneBots()) await fit(userId);
    },
    close(): void {
      outward.close();
      sockets.close(closeCodes.going);
      context.staged.close();
    },
  };
}

export type Running = ReturnType<typeof createRunning>;

/** Refuses requests while the instance does not run. True if the request was for frameworks. */
export const refuseRequest = (request: IncomingMessage, response: ServerResponse, basePath: string): boolean => {
  const isOurs = readWanted(request, basePath) !== null;
  if (isOurs) response.writeHead(503, { "content-length": 0 }).end();
  return isOurs;
};
