import type { SessionRecord, SessionStore } from "@telex/core/storage";
import type { Report } from "../stores/changes.ts";
import type { Verb } from "../engine/gate.ts";

/** All sessions. Only used within a step. */
export interface Sessions {
  readonly of: (userId: number) => SessionRecord[];
  readonly findByDigest: (digest: string) => SessionRecord | null;
  readonly keep: (session: SessionRecord) => void;
  /** Ends the sessions of a user except one, and reports each. */
  readonly end: (userId: number, except: string | null) => number;
  readonly endOne: (session: SessionRecord) => void;
  readonly sweep: (now: number, limit: number) => number;
}

export function createSessions(report: Report): Sessions {
  const sessions = new Map<string, SessionRecord>();
  const of = (userId: number): SessionRecord[] => [...sessions.values()].filter((one) => one.userId === userId);
  const endOne = ({ sessionId, digest }: SessionRecord): void => {
    if (sessions.delete(digest)) report("session", sessionId);
  };
  return {
    of,
    findByDigest: (digest) => sessions.get(digest) ?? null,
    keep: (session) => void sessions.set(session.digest, session),
    end(userId, except) {
      const ended = of(userId).filter(({ sessionId }) => sessionId !== except);
      for (const session of ended) endOne(session);
      return ended.length;
    },
    endOne,
    sweep(now, limit) {
      const ended = [...sessions.values()].filter(({ until }) => until <= now).slice(0, limit);
      for (const { digest } of ended) sessions.delete(digest);
      return ended.length;
    },
  };
}

const byUse = (a: SessionRecord, b: SessionRecord): number =>
  b.lastUsedAt - a.lastUsedAt || (a.sessionId < b.sessionId ? -1 : 1);

/** Ends the oldest sessions of a user to make room for one more. */
export function endOldest({ of, endOne }: Sessions, userId: number, limit: number): void {
  for (const session of of(userId)
    .toSorted(byUse)
    .slice(limit - 1))
    endOne(session);
}

/** All verbs except `createSession`, which reads the account. */
export const createSessionVerbs = (verb: Verb, sessions: Sessions): Omit<SessionStore, "createSession"> => {
  const find = (userId: number, sessionId: string): SessionRecord | undefined =>
    sessions.of(userId).find((one) => one.sessionId === sessionId);
  return {
    findSession: verb((digest, now) => {
      const session = sessions.findByDigest(digest);
      return session !== null && session.until > now ? session : null;
    }),
    listSessions: verb((userId, now) =>
      sessions
        .of(userId)
        .filter(({ until }) => until > now)
        .toSorted(byUse),
    ),
    touchSession: verb(({ userId, sessionId, lastUsedAt, until }) => {
      const session = find(userId, sessionId);
      if (session === undefined || session.until <= lastUsedAt) return;
      sessions.keep({
        ...session,
        lastUsedAt: Math.max(session.lastUsedAt, lastUsedAt),
        until: Math.max(session.until, Math.min(until, session.absoluteUntil)),
      });
    }),
    confirmSession: verb(({ userId, sessionId, confirmedAt }) => {
      const session = find(userId, sessionId);
      if (session === undefined) return false;
      sessions.keep({ ...session, confirmedAt: Math.max(session.confirmedAt, confirmedAt) });
      return true;
    }),
    endSession: verb(({ userId, sessionId }) => {
      const session = find(userId, sessionId);
      if (session !== undefined) sessions.endOne(session);
      return session !== undefined;
    }),
    endSessions: verb((userId, except) => sessions.end(userId, except)),
  };
};
