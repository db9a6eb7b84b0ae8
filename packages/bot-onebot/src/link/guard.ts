import type { IncomingMessage } from "node:http";
import { anonymous } from "@telex/core";
import { addressKey, callerAddress, type RateLimiter, unlimited } from "@telex/core/transport";
import { createSlots } from "@telex/ws/acceptor";

/** Maximum requests of one address in progress before their secrets are known. */
const maxUnproven = 64;

/** The limiter of a server, which may be created after the instance. */
export function limiterOf(limiter: RateLimiter | (() => RateLimiter) = unlimited): RateLimiter {
  if (typeof limiter !== "function") return limiter;
  return { count: (...call) => limiter().count(...call), charge: (...call) => limiter().charge(...call) };
}

/** The address that a request comes from; null if the host does not report it. */
export function addressOf({ headers, socket }: IncomingMessage, proxies: number): string | null {
  const forwarded = headers["x-forwarded-for"];
  const forwardedFor = (typeof forwarded === "string" ? forwarded : forwarded?.join(",")) ?? null;
  return callerAddress({ socketAddress: socket.remoteAddress ?? null, forwardedFor }, proxies);
}

/** A request whose secret is known only after it is read. */
interface Attempt {
  /** Called when the secret was correct: the request does not count. */
  genuine(): void;
  /** Releases its slot. */
  end(): void;
}

/** Slows down callers who guess secrets. */
export interface Guard {
  /** True if the address of the request has shown too many wrong secrets: its secret MUST NOT be checked. */
  isBarred(request: IncomingMessage): boolean;
  /** Called when the request has shown a wrong secret, or none. */
  refused(request: IncomingMessage): void;
  /** Called for a request that must be read. It counts as a wrong secret until it proves genuine. Null if its address has too many in progress. */
  begin(request: IncomingMessage): Attempt | null;
}

/**
 * Counts wrong secrets as calls without a token. Unlike a token, a secret may have been chosen by a person, so the correct one is not
 * accepted either while the address has no calls left.
 * @param proxies how many proxies in front of the server add to `X-Forwarded-For`; 0 if that header is not trusted
 */
export function createGuard(limiter: RateLimiter, proxies: number): Guard {
  const slots = createSlots(maxUnproven);
  const charge = (request: IncomingMessage, calls: number): void =>
    void limiter.charge(anonymous, () => addressOf(request, proxies), calls);
  return {
    isBarred: (request) => limiter.count(anonymous, () => addressOf(request, proxies), 0).refusal !== null,
    refused: (request) => charge(request, 1),
    begin(request) {
      const end = slots.take(addressKey(addressOf(request, proxies) ?? ""));
      if (end === null) return null;
      charge(request, 1);
      return { genuine: () => charge(request, -1), end };
    },
  };
}
