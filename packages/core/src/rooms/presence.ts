import type { Clock } from "@telex/ground/time";
import type { EventOf } from "@telex/ground/bus";
import type { RoomsBusEvents } from "./bus-events.ts";
import type { RoomsLimits } from "./limits.ts";

interface RoomPresenceDeps {
  readonly clock: Clock;
  readonly limits: Pick<RoomsLimits, "presenceInterval" | "presenceLease">;
  /** The name of this server among the others. */
  readonly self: string;
  /** Publishes to the other servers; null on a single server. */
  readonly publish: ((event: EventOf<RoomsBusEvents>) => void) | null;
}

/** The users with an open connection to the chat rooms, on this server and on the others. */
export interface RoomPresence {
  /** Call it when a connection of this user has opened. The returned function is called at its end; a second call changes nothing. */
  open(userId: number): () => void;
  isOnline(userId: number): boolean;
  /** The names of the other servers that are alive, each with the time until which it counts as alive (Unix milliseconds). */
  peers(): ReadonlyMap<string, number>;
  /** Call it several times a second: it publishes the users of this server now and then, and forgets servers that are silent. */
  tick(): void;
  readonly heard: {
    readonly change: (event: EventOf<RoomsBusEvents, "room_presence">) => void;
    readonly state: (event: EventOf<RoomsBusEvents, "room_presence_state">) => void;
    readonly ask: (event: EventOf<RoomsBusEvents, "room_presence_ask">) => void;
  };
  /** Call it when this server leaves, without connections. */
  leave(): void;
}

interface Peer {
  /** The number of its last change that was heard, without a hole before it. */
  version: number;
  readonly users: Set<number>;
  /** Unix milliseconds: until then its users count. */
  until: number;
}

/** The users of the other servers. A gap in the numbers shows a lost change: then this server asks the other one for all its users. */
function createPeers({ clock, limits, publish }: RoomPresenceDeps, greet: () => void) {
  const peers = new Map<string, Peer>();
  const peerOf = (server: string): Peer => {
    // A new server must learn who is connected.
    if (!peers.has(server)) queueMicrotask(greet);
    const peer = peers.get(server) ?? { version: -1, users: new Set<number>(), until: 0 };
    peer.until = clock.now() + limits.presenceLease;
    peers.set(server, peer);
    return peer;
  };
  const ask = (server: string): void => publish?.({ kind: "room_presence_ask", server });
  return {
    has: (userId: number): boolean => peers.values().some(({ users }) => users.has(userId)),
    alive: (): ReadonlyMap<string, number> =>
      new Map([...peers].flatMap(([name, { until }]) => (until > clock.now() ? [[name, until] as const] : []))),
    forgetSilent(): void {
      for (const [server, { until }] of peers) if (until <= clock.now()) peers.delete(server);
    },
    change({ server, version, userId, online }: EventOf<RoomsBusEvents, "room_presence">): void {
      const peer = peerOf(server);
      if (version <= peer.version) return;
      if (version > peer.version + 1) return ask(server);
      peer.version = version;
      if (online) peer.users.add(userId);
      else peer.users.delete(userId);
    },
    state({ server, version, userIds, left = false }: EventOf<RoomsBusEvents, "room_presence_state">): void {
      if (left) return void peers.delete(server);
      const peer = peerOf(server);
      if (version <= peer.version) return;
      if (userIds === null) return ask(server);
      peer.version = version;
      peer.users.clear();
      for (const userId of userIds) peer.users.add(userId);
    },
  };
}

export function createRoomPresence(deps: RoomPresenceDeps): RoomPresence {
  const { clock, limits, publish, self: server } = deps;
  const open = new Map<number, number>();
  const peers = createPeers(deps, () => tell(null));
  let version = 0;
  let publishedAt = Number.NEGATIVE_INFINITY;

  const changed = (userId: number, online: boolean): void => {
    version += 1;
    publish?.({ kind: "room_presence", server, version, userId, online });
  };
  const come = (userId: number): void => {
    const connections = (open.get(userId) ?? 0) + 1;
    open.set(userId, connections);
    if (connections === 1) changed(userId, true);
  };
  const go = (userId: number): void => {
    const connections = (open.get(userId) ?? 0) - 1;
    if (connections > 0) open.set(userId, connections);
    else if (open.delete(userId)) changed(userId, false);
  };
  const tell = (userIds: number[] | null): void => publish?.({ kind: "room_presence_state", server, version, userIds });
  return {
    open(userId) {
      let isOpen = true;
      come(userId);
      return () => {
        if (isOpen) go(userId);
        isOpen = false;
      };
    },
    isOnline: (userId) => open.has(userId) || peers.has(userId),
    peers: () => peers.alive(),
    tick() {
      if (clock.now() - publishedAt < limits.presenceInterval) return;
      publishedAt = clock.now();
      peers.forgetSilent();
      tell(null);
    },
    heard: {
      change: (event) => peers.change(event),
      state: (event) => peers.state(event),
      ask({ server: asked }) {
        if (asked === server) tell([...open.keys()]);
      },
    },
    leave() {
      open.clear();
      version += 1;
      publish?.({ kind: "room_presence_state", server, version, userIds: [], left: true });
    },
  };
}
