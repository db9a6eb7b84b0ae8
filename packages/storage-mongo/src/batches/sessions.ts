import { randomUUID } from "node:crypto";
import type { Clock, Logger } from "@telex/core";
import { type Binary, type ClientSession, type Collection, type Db, type MongoClient, UUID } from "mongodb";
import type { DatabaseClock } from "../clock/database-clock.ts";
import { collectionOf } from "../driver/collections.ts";
import type { Documents } from "../driver/documents.ts";
import { storageError } from "../driver/errors.ts";
import { inTime } from "../driver/in-time.ts";

/**
 * Milliseconds without a sign of life after which a server counts as gone. This is short, without an allowance for clocks that differ, because
 * a server that wrongly counts as gone only has to run its open transactions again.
 */
const life = 4000;
/** Milliseconds between two signs of life. */
const renewEvery = 1000;
/** Milliseconds between two checks for signs of life. */
const checkEvery = 250;
/** Ids that are kept before unused ones are removed. */
const mostKept = 1000;
/** How often a session whose connection was lost is ended: for two minutes, in which a network may still deliver a command. */
const checksAfterLoss = 120;

/**
 * The sessions in which a server runs transactions. The database does not notice that a server was killed: it keeps the writes of its open
 * transactions locked for a minute (`transactionLifetimeLimitSeconds`), and no other server can write to the same rooms and devices.
 * Therefore each server registers its sessions, and the others end those of a server that gives no sign of life. A server that was
 * only slow loses nothing: its transactions are aborted and run again. A server also ends its own sessions whose connection was lost.
 */
export interface Sessions {
  /** Runs with a session that is registered for the other servers. */
  readonly use: <Result>(run: (session: ClientSession) => Promise<Result>) => Promise<Result>;
  /**
   * True if another process runs transactions. Waits up to 8 s for a sign of life of those that may have been killed.
   * @throws MongoError (as a rejection) if the database does not answer
   */
  readonly hasOthers: () => Promise<boolean>;
  /** Call it when no session is in use any more. */
  readonly close: () => Promise<void>;
}

type Known = Collection<Documents["sessions"]>;

const rightHint =
  "The user of MongoDB cannot end sessions (killSessions). If a server is killed, rooms and devices to which it was writing stay locked for a minute. " +
  "Grant the action killAnySession on the cluster, or let all servers sign in as one user.";

/** Warns if sessions cannot be ended. A session with this id does not exist. */
export async function checkSessionRight(db: Db, log: Pick<Logger, "warn"> | undefined): Promise<void> {
  try {
    await db.command({ killSessions: [{ id: new UUID() }] });
  } catch (error) {
    log?.warn("storage.sessions_not_ended", { reason: storageError(error).code, hint: rightHint });
  }
}

/** Ends the sessions of servers that are gone. */
async function endAbandoned(db: Db, known: Known, now: number): Promise<void> {
  for (const { _id, until, ids } of await known.find({ until: { $lt: now } }).toArray()) {
    // Without ids, the database would end the sessions of all servers.
    if (ids.length > 0) await db.command({ killSessions: ids.map((id) => ({ id })) });
    await known.deleteOne({ _id, until });
  }
}

/** The session ids that this server has registered. */
function createRegister(known: Known, time: Pick<DatabaseClock, "now">) {
  const holder = randomUUID();
  const kept = new Map<string, Binary>();
  const inUse = new Set<string>();
  let rev = 0;
  /** Writes all ids. A write that arrives after a later one changes nothing: the later one has all ids that are in use. */
  const write = async (): Promise<void> => {
    const until = (await time.now()) + life;
    rev += 1;
    const document = { _id: holder, until, ids: [...kept.values()], rev };
    const change = { $cond: [{ $gt: ["$rev", rev] }, "$$ROOT", { $literal: document }] };
    await known.updateOne({ _id: holder }, [{ $replaceWith: change }], { upsert: true });
  };
  return {
    holder,
    async enter(id: Binary): Promise<() => void> {
      const name = id.toString("hex");
      const leave = (): void => void inUse.delete(name);
      inUse.add(name);
      if (kept.has(name)) return leave;
      kept.set(name, id);
      try {
        await write();
        return leave;
      } catch (error) {
        // It may not have been written, so the next transaction of the session writes it again.
        kept.delete(name);
        leave();
        throw error;
      }
    },
    /** Also registers this server again if another one has removed it as gone. */
    async renew(): Promise<void> {
      if (kept.size > mostKept) for (const name of kept.keys()) if (!inUse.has(name)) kept.delete(name);
      if (kept.size > 0) await write();
    },
    remove: async () => void (await known.deleteOne({ _id: holder })),
  };
}

/** The time until which each of the other servers counts as alive. */
async function othersIn(known: Known, holder: string): Promise<Map<string, number>> {
  const others = await inTime(life, known.find({ _id: { $ne: holder } }, { projection: { until: 1 } }).toArray());
  return new Map(others.map(({ _id, until }) => [_id, until]));
}

/** Polls until one of the others has given a sign of life, or all had twice the time for one: a slow server may have been counted as gone. */
async function hasOthers(
  known: Known,
  holder: string,
  { clock, time }: { readonly clock: Pick<Clock, "after">; readonly time: Pick<DatabaseClock, "now"> },
): Promise<boolean> {
  const before = await othersIn(known, holder);
  for (let found = before; ; found = await othersIn(known, holder)) {
    for (const [server, until] of found) if (until > (before.get(server) ?? 0)) return true;
    const now = await time.now();
    // It was closed properly.
    for (const [server, until] of before) if (until >= now && !found.has(server)) before.delete(server);
    if (Math.max(0, ...before.values()) + life < now) return false;
    await new Promise<void>((resolve) => clock.after(checkEvery, resolve));
  }
}

/**
 * Ends the sessions of this server whose connection was lost. A command that was on its way may reach the database when the network is
 * back, and begin a transaction that no server would end.
 */
function createLost(db: Db) {
  const lost = new Map<Binary, number>();
  return {
    add(id: Binary): void {
      if (lost.size < mostKept) lost.set(id, checksAfterLoss);
    },
    async end(): Promise<void> {
      const ids = [...lost.keys()];
      if (ids.length > 0) await db.command({ killSessions: ids.map((id) => ({ id })) });
      for (const id of ids) {
        const left = (lost.get(id) ?? 0) - 1;
        if (left > 0) lost.set(id, left);
        else lost.delete(id);
      }
    },
  };
}

/**
 * Decides from when this server can tell which servers are gone. While the database did not answer, no server could give a sign of life.
 * Afterwards, each has the usual time to give one.
 */
function createJudge() {
  let last: number | null = null;
  let from = 0;
  return {
    failed: (): void => void (last = Number.NEGATIVE_INFINITY),
    /** True if a server whose time has ended by `now` is certainly gone. Call it at each check. */
    canTell(now: number): boolean {
      if (last !== null && now - last > life) from = now + life;
      last = now;
      return now >= from;
    },
  };
}

/** Starts the checks for servers that are gone. */
export function createSessions(
  client: MongoClient,
  db: Db,
  { clock, time }: { readonly clock: Clock; readonly time: Pick<DatabaseClock, "now"> },
): Sessions {
  const known = collectionOf(db, "sessions");
  const register = createRegister(known, time);
  const lost = createLost(db);
  const judge = createJudge();
  let cancel = (): void => undefined;
  const check = async (): Promise<void> => {
    try {
      await inTime(life, register.renew());
      const now = await time.now();
      if (judge.canTell(now)) await inTime(life, endAbandoned(db, known, now));
      await inTime(life, lost.end());
    } catch {
      // The database does not answer. The next check follows soon.
      judge.failed();
    }
    plan();
  };
  let isOpen = true;
  const plan = (): void => {
    if (isOpen) cancel = clock.after(renewEvery, () => void check());
  };
  plan();
  return {
    async use(run) {
      const session = client.startSession();
      let leave = (): void => undefined;
      try {
        if (session.id !== undefined) leave = await register.enter(session.id.id);
        return await run(session);
      } finally {
        leave();
        if (session.id !== undefined && session.serverSession.isDirty) lost.add(session.id.id);
        await session.endSession();
      }
    },
    hasOthers: () => hasOthers(known, register.holder, { clock, time }),
    async close() {
      isOpen = false;
      cancel();
      await register.remove().catch(() => undefined);
    },
  };
}
