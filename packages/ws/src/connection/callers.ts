import type { IncomingMessage } from "node:http";
import { type Caller, TelexError, type TokenHolder } from "@telex/core";
import { addressKey, callerAddress, createSlots, type RateLimiter } from "@telex/core/transport";

/** Limits of sockets and commands for each caller. */
interface CallerOptions {
  readonly rateLimiter: RateLimiter;
  /** Trusted proxies that add to `X-Forwarded-For`. */
  readonly proxies: number;
  readonly socketsPerAddress: number;
  readonly socketsPerToken: number;
}

/** Counts sockets and commands by caller, over all sockets of a server. */
export interface Callers {
  readonly addressOf: (request: IncomingMessage) => string | null;
  /**
   * Counts a socket of an address, and returns a function that releases it.
   * @throws TelexError `rate_limited` if the address has too many
   */
  enterFrom: (address: string | null) => () => void;
  /**
   * Counts a socket of a token, and returns a function that releases it.
   * @throws TelexError `rate_limited` if the token has too many
   */
  enterAs: (holder: TokenHolder) => () => void;
  /**
   * Counts a call.
   * @throws TelexError `rate_limited`
   */
  count: (caller: Caller, address: string | null, cost: number) => void;
}

/** Seconds after which a caller with too many sockets may try again. */
const retryAfter = 10;

const keyOf = ({ tokenId, userId }: TokenHolder): string => (tokenId === null ? `user ${userId}` : `token ${tokenId}`);

/** Creates the counts of the sockets of one transport. */
export function createCallers({ rateLimiter, proxies, socketsPerAddress, socketsPerToken }: CallerOptions): Callers {
  const addresses = createSlots(socketsPerAddress);
  const tokens = createSlots(socketsPerToken);
  const refuse = (reason: "sockets_of_address" | "sockets_of_token", max: number): never => {
    throw new TelexError("rate_limited", { reason, params: { max }, retryAfter });
  };
  return {
    addressOf({ socket, headers }) {
      const forwarded = headers["x-forwarded-for"];
      const forwardedFor = Array.isArray(forwarded) ? forwarded.join() : (forwarded ?? null);
      return callerAddress({ socketAddress: socket.remoteAddress ?? null, forwardedFor }, proxies);
    },
    enterFrom: (address) =>
      address === null
        ? () => {}
        : (addresses.take(addressKey(address)) ?? refuse("sockets_of_address", socketsPerAddress)),
    enterAs: (holder) => tokens.take(keyOf(holder)) ?? refuse("sockets_of_token", socketsPerToken),
    count(caller, address, cost) {
      const { refusal } = rateLimiter.count(caller, () => address, cost);
      if (refusal !== null) throw refusal;
    },
  };
}
