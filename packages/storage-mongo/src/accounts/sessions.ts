import type { AccountStore, SessionRecord, SessionStore } from "@telex/core/storage";
import { asPrimary, collectionOf, feedRoot } from "../driver/collections.ts";
import type { Documents } from "../driver/documents.ts";
import type { Tx } from "../driver/transaction.ts";
import type { StoreDeps } from "../stores/deps.ts";
import { endSessions } from "./session-documents.ts";

type Conditions = Parameters<AccountStore["createSession"]>[1];

const recordOf = ({ _id, ...session }: Documents["signIns"]): SessionRecord => session;

/** The account is the root: each new session writes it, so that a sign-in and a change of the account conflict. */
async function create(tx: Tx, session: SessionRecord, { rev, limit, seen }: Conditions): Promise<"created" | "stale"> {
  const { userId, sessionId } = session;
  const account = await tx.find("accounts", userId);
  if (account === null || account.removedAt !== null || account.rev !== rev) return "stale";
  tx.put("accounts", { ...account, ...(seen !== undefined && { seen }), turn: (account.turn ?? 0) + 1 });
  const sessions = await tx.list("signIns", { userId }, { sort: { lastUsedAt: -1, _id: 1 } });
  for (const { _id } of sessions.slice(limit - 1)) {
    tx.drop("signIns", _id);
    tx.report("session", _id);
  }
  tx.put("signIns", { _id: sessionId, ...session });
  return "created";
}

async function end(tx: Tx, userId: number, sessionId: string): Promise<boolean> {
  const session = await tx.find("signIns", sessionId);
  if (session?.userId !== userId) return false;
  tx.drop("signIns", sessionId);
  tx.report("session", sessionId);
  return true;
}

export function createSessionVerbs({ db, batches }: StoreDeps): SessionStore {
  const sessions = collectionOf(db, "signIns");
  const { write, single } = batches;
  return {
    createSession({ ...session }, { seen, ...conditions }) {
      const own = { ...conditions, ...(seen !== undefined && { seen: [...seen] }) };
      return write(`account ${session.userId}`, (tx) => create(tx, session, own));
    },
    // An ended session must not be found.
    findSession: (digest, now) =>
      single(async () => {
        const session = await sessions.findOne({ digest }, asPrimary);
        return session !== null && session.until > now ? recordOf(session) : null;
      }),
    listSessions: (userId, now) =>
      single(async () => {
        const sort = { lastUsedAt: -1, _id: 1 } as const;
        return (await sessions.find({ userId, until: { $gt: now } }, { sort }).toArray()).map(recordOf);
      }),
    touchSession: ({ userId, sessionId, lastUsedAt, until }) =>
      single(async () => {
        const live = { _id: sessionId, userId, until: { $gt: lastUsedAt } };
        const session = await sessions.findOne(live);
        if (session === null) return;
        await sessions.updateOne(live, { $max: { lastUsedAt, until: Math.min(until, session.absoluteUntil) } });
      }),
    confirmSession: ({ userId, sessionId, confirmedAt }) =>
      single(async () => {
        const { matchedCount } = await sessions.updateOne({ _id: sessionId, userId }, { $max: { confirmedAt } });
        return matchedCount > 0;
      }),
    endSession: ({ userId, sessionId }) => write(feedRoot, (tx) => end(tx, userId, sessionId)),
    endSessions: (userId, except) => write(feedRoot, (tx) => endSessions(tx, userId, except)),
  };
}
