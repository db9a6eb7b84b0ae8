import { createHash } from "node:crypto";
import { systemClock, TelexError, type TokenHolder, type TokenVerifier } from "@telex/core";
import { LRUCache } from "lru-cache";
import type { Claims, VerifierOptions } from "./options.ts";
import { scopesIn } from "./scopes.ts";

/** A decision about a token, and when it expires. */
interface Verdict {
  readonly holder: TokenHolder | null;
  /** Unix milliseconds. */
  readonly until: number;
}

/** A valid token, as its provider describes it. */
export interface Confirmed {
  readonly claims: Claims;
  /** The end of the token in Unix milliseconds; null if it has none. */
  readonly expiresAt: number | null;
}

/** How a verifier decides, and for how long. */
interface Rules {
  /** Asks about a token; null if it is not valid. Throws if it cannot decide. */
  readonly confirm: (token: string) => Promise<Confirmed | null>;
  /** Milliseconds for which a valid token is trusted, but never after it expires. */
  readonly life: number;
  /** Milliseconds for which an invalid token is refused without asking. */
  readonly negativeLife: number;
}

/** Characters of the longest token that is verified; Node accepts 16 KiB of headers. */
const longest = 16_384;

/** Maximum tokens about which a verifier asks simultaneously. For others it cannot decide until it has answers. */
const maxQuestions = 200;

/** A provider that does not answer makes no token invalid: the caller sees 503 and tries again. */
const unavailable = (cause: unknown): TelexError =>
  TelexError.is(cause) ? cause : new TelexError("storage_unavailable", { cause });

const digestOf = (token: string): string => createHash("sha256").update(token).digest("base64url");

const assertSize = (size: number): number => {
  if (!Number.isInteger(size) || size < 1) throw new RangeError("cacheSize must be a whole number above 0.");
  return size;
};

/** Keeps verdicts by the digest of their token. Invalid tokens have their own cache, so that a flood of them displaces no valid one. */
function createVerdictCache(max: number, now: () => number) {
  const caches = { valid: new LRUCache<string, Verdict>({ max }), invalid: new LRUCache<string, Verdict>({ max }) };
  const live = (verdict: Verdict | undefined): Verdict | undefined =>
    verdict !== undefined && verdict.until > now() ? verdict : undefined;
  return {
    find: (digest: string): Verdict | undefined => live(caches.valid.get(digest)) ?? live(caches.invalid.get(digest)),
    keep(digest: string, verdict: Verdict): void {
      caches[verdict.holder === null ? "invalid" : "valid"].set(digest, verdict);
    },
  };
}

/** A verifier that asks once about each token, however many callers show it, and keeps the verdicts in bounded caches. */
export function createCachedVerifier(options: VerifierOptions, rules: Rules): TokenVerifier {
  const { userOf, scopesOf = scopesIn, cacheSize = 10_000, clock = systemClock } = options;
  const cache = createVerdictCache(assertSize(cacheSize), () => clock.now());
  const questions = new Map<string, Promise<Verdict>>();
  const refuse = (): Verdict => ({ holder: null, until: clock.now() + rules.negativeLife });
  const judge = async (token: string): Promise<Verdict> => {
    const confirmed = await rules.confirm(token);
    if (confirmed === null) return refuse();
    const { claims, expiresAt } = confirmed;
    const userId = await userOf(claims);
    const until = Math.min(expiresAt ?? Infinity, clock.now() + rules.life);
    if (userId === null || until <= clock.now()) return refuse();
    return { holder: { kind: "token", userId, scopes: [...scopesOf(claims)], tokenId: null, expiresAt }, until };
  };
  const ask = async (digest: string, token: string): Promise<Verdict> => {
    try {
      const verdict = await judge(token);
      cache.keep(digest, verdict);
      return verdict;
    } catch (cause) {
      throw unavailable(cause);
    } finally {
      questions.delete(digest);
    }
  };
  const begin = (digest: string, token: string): Promise<Verdict> => {
    if (questions.size >= maxQuestions) throw unavailable(new Error("Too many tokens are being verified."));
    const question = ask(digest, token);
    questions.set(digest, question);
    return question;
  };
  return {
    async authenticate(token) {
      if (token.length > longest) return null;
      const digest = digestOf(token);
      const verdict = cache.find(digest) ?? (await (questions.get(digest) ?? begin(digest, token)));
      return verdict.holder;
    },
  };
}
