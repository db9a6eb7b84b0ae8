import { randomBytes } from "node:crypto";
import { TelexError, type TokenHolder } from "@telex/core";
import type { CallRequest } from "@telex/core/contract";
import type { Account, SessionRecord } from "@telex/core/storage";
import { digestOf, generateSecret, isSecretShaped } from "../credentials/secrets.ts";
import type { AuthDeps } from "../options.ts";
import type { SessionCookie } from "../requests/cookies.ts";
import { browserName } from "./browser.ts";
import { lives } from "./lives.ts";
import type { Seen } from "./seen.ts";
import { isSuspended } from "./suspended.ts";

/** The session of a request. */
export interface Current {
  readonly account: Account;
  readonly session: SessionRecord;
}

/** Maximum sessions of one account. The least recently used one ends for another one. */
const most = 50;

/** The precision of the last use of a session, in milliseconds. */
const useInterval = 60_000;

interface SessionsDeps extends AuthDeps {
  readonly cookie: SessionCookie;
  readonly seen: Pick<Seen, "add">;
}

/** Begins and finds sessions. */
export interface Sessions {
  /** Begins a session with a new secret, ends the one that the browser had, and sets the cookie. */
  readonly begin: (account: Account, stay: boolean, request: CallRequest) => Promise<Current>;
  /** The session of the cookie of a request, or null. */
  readonly find: (header: CallRequest["header"]) => Promise<Current | null>;
  /** Ends the session of a request, and removes the cookie. */
  readonly end: (request: CallRequest) => Promise<void>;
  /** The session by which a caller is signed in. Throws `not_allowed` for callers with a token. */
  readonly of: (caller: TokenHolder) => Current;
  /** Notes by which session a caller is signed in. */
  readonly note: (caller: TokenHolder, current: Current) => TokenHolder;
}

/** The moments of a session that begins now and ends if it is not used for `life` milliseconds. */
const momentsOf = (now: number, life: number) => ({
  createdAt: now,
  lastUsedAt: now,
  until: Math.min(now + life, now + lives.session),
  absoluteUntil: now + lives.session,
  confirmedAt: now,
});

function recordOf({ telex, rules }: AuthDeps, userId: number, stay: boolean, secret: string, request: CallRequest) {
  const [browser, address] = [browserName(request.header("user-agent")), request.address() ?? ""];
  return {
    sessionId: randomBytes(12).toString("hex"),
    digest: digestOf(secret),
    userId,
    browser,
    address,
    stay,
    ...momentsOf(telex.clock.now(), stay ? lives.stay : rules.sessionLife),
  } satisfies SessionRecord;
}

/** Moves the end of a session that is in use. The request does not wait for it. */
function touch({ telex, storage, rules }: AuthDeps, { sessionId, userId, stay, ...session }: SessionRecord): void {
  const now = telex.clock.now();
  if (now - session.lastUsedAt < useInterval) return;
  const until = Math.min(now + (stay ? lives.stay : rules.sessionLife), session.absoluteUntil);
  storage.accounts.touchSession({ sessionId, userId, lastUsedAt: now, until }).catch((cause: unknown) => {
    telex.log.error("session.use_not_noted", { userId }, cause);
  });
}

/** Begins and finds sessions. */
export function createSessions(deps: SessionsDeps): Sessions {
  const { telex, storage, cookie } = deps;
  const { accounts, users } = storage;
  const current = new WeakMap<TokenHolder, Current>();
  const findRecord = async (header: CallRequest["header"]): Promise<SessionRecord | null> => {
    const secret = cookie.read(header("cookie"));
    if (secret === null || !isSecretShaped("session", secret)) return null;
    return await accounts.findSession(digestOf(secret), telex.clock.now());
  };
  const endFormer = async ({ header }: CallRequest): Promise<void> => {
    const former = await findRecord(header);
    if (former !== null) await accounts.endSession(former);
  };
  return {
    async begin(account, stay, request) {
      const secret = generateSecret("session");
      const session = recordOf(deps, account.userId, stay, secret, request);
      const seen = deps.seen.add(account.seen, request);
      const created = await accounts.createSession(session, { rev: account.rev, limit: most, seen });
      if (created === "stale") throw new TelexError("busy");
      await endFormer(request);
      request.setHeader("set-cookie", cookie.write(secret, stay ? lives.stay / 1000 : null));
      return { account, session };
    },
    async find(header) {
      const session = await findRecord(header);
      if (session === null) return null;
      const [account, user] = await Promise.all([
        accounts.findAccount({ userId: session.userId }),
        users.findUser(session.userId),
      ]);
      if (account === null || user === null || isSuspended(user)) return null;
      touch(deps, session);
      return { account, session };
    },
    async end(request) {
      await endFormer(request);
      request.setHeader("set-cookie", cookie.remove());
    },
    of(caller) {
      const signedIn = current.get(caller);
      if (signedIn === undefined) throw new TelexError("not_allowed", { reason: "session_needed" });
      return signedIn;
    },
    note(caller, signedIn) {
      current.set(caller, signedIn);
      return caller;
    },
  };
}
