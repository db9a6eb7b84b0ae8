import type { Telex } from "@telex/core";
import { LRUCache } from "lru-cache";

/** Milliseconds after its last frame for which a browser needs no notification. */
const life = 30_000;

/** Milliseconds between two reports of one session to the other servers. */
const reportInterval = 1000;

/** Sessions on other servers that are remembered. */
const most = 50_000;

const prefix = "push-active ";

/** A connection, as its event names it. */
interface Used {
  readonly sessionId: string;
  readonly connection: object;
  readonly isOpen: boolean;
}

/** Which browsers are in use now. */
export interface Activity {
  /** A connection was opened or used, or has ended. */
  readonly note: (used: Used) => void;
  /** True if a connection of the session is open, on any server, and was used in the last 30 seconds. */
  readonly isActive: (sessionId: string) => boolean;
}

interface Here {
  readonly connections: Map<object, number>;
  reported: number;
}

/** Remembers the use of connections, and reports it to the other servers. */
export function createActivity({ clock, ratePeers }: Pick<Telex, "clock" | "ratePeers">): Activity {
  const here = new Map<string, Here>();
  const elsewhere = new LRUCache<string, number>({ maxSize: most, sizeCalculation: () => 1 });
  const report = (sessionId: string, calls: 0 | 1): void =>
    ratePeers?.publish([{ policy: "attempt", key: prefix + sessionId, calls }]);
  ratePeers?.subscribe(({ policy, key, calls }) => {
    if (policy !== "attempt" || !key.startsWith(prefix)) return;
    if (calls > 0) elsewhere.set(key.slice(prefix.length), clock.now());
    else elsewhere.delete(key.slice(prefix.length));
  });
  const isFresh = (at: number): boolean => clock.now() - at < life;
  return {
    note({ sessionId, connection, isOpen }) {
      const now = clock.now();
      const session = here.get(sessionId) ?? { connections: new Map<object, number>(), reported: 0 };
      if (isOpen) {
        here.set(sessionId, session);
        session.connections.set(connection, now);
        if (now - session.reported < reportInterval) return;
        session.reported = now;
        report(sessionId, 1);
      } else if (session.connections.delete(connection) && session.connections.size === 0) {
        here.delete(sessionId);
        report(sessionId, 0);
      }
    },
    isActive(sessionId) {
      const far = elsewhere.get(sessionId);
      if (far !== undefined && isFresh(far)) return true;
      return here.get(sessionId)?.connections.values().some(isFresh) === true;
    },
  };
}
