import { type Caller, type Telex, TelexError } from "@telex/core";
import type { OperationOutput } from "@telex/core/contract";
import type { OperationName } from "@telex/core/contract";
import type { CloseReason } from "@telex/core/transport";

/** The name of a field in the interface of OpenAI. */
export type Rename = (path: string) => string;

/** The same error with the names that the caller knows. */
function renamed(cause: unknown, rename: Rename): unknown {
  if (!TelexError.is(cause) || cause.code !== "invalid_request") return cause;
  const { code, reason, params, issues } = cause;
  const { field } = params;
  return TelexError.of(code, {
    ...(reason === undefined ? {} : { reason }),
    params: field === undefined ? params : { ...params, field: rename(String(field)) },
    ...(issues === undefined ? {} : { issues: issues.map((issue) => ({ ...issue, path: rename(issue.path) })) }),
  });
}

/**
 * Calls an operation, which checks its input.
 * @throws TelexError what the operation throws, with the names of the caller
 */
export async function callAs<N extends OperationName>(
  telex: Telex,
  name: N,
  call: { readonly caller: Caller; readonly input: unknown; readonly signal: AbortSignal },
  rename: Rename,
): Promise<OperationOutput<N>> {
  try {
    return await telex.call(name, call.caller, call.input, { signal: call.signal });
  } catch (cause) {
    throw renamed(cause, rename);
  }
}

/** Ends a call. */
interface Stop {
  /** Aborted when the caller is gone, or by `abort`. */
  readonly signal: AbortSignal;
  readonly abort: () => void;
}

/** Creates a signal that is aborted when the caller is gone, or by `abort`. */
export function createStop(gone: AbortSignal | undefined): Stop {
  const stop = new AbortController();
  const signal = gone === undefined ? stop.signal : AbortSignal.any([gone, stop.signal]);
  return { signal, abort: () => stop.abort() };
}

/** Watches the token of a call. */
interface TokenWatch {
  /** @throws TelexError `invalid_token` once the token has ended */
  assert(): void;
  stop(): void;
}

/**
 * Calls `abort` when the token of a caller ends.
 * @throws TelexError `invalid_token` for a caller without a token
 */
export function watchToken(telex: Telex, caller: Caller, abort: () => void): TokenWatch {
  if (caller.kind !== "token") throw new TelexError("invalid_token");
  let isEnded = false;
  const close = (reason: CloseReason): void => {
    isEnded ||= reason === "token_ended";
    if (isEnded) abort();
  };
  const stop = telex.attach({ holder: caller, write: () => undefined, close });
  return {
    stop,
    assert() {
      if (isEnded) throw new TelexError("invalid_token");
    },
  };
}

/** The elements while the token of the caller is valid. When it ends, `abort` is called. */
export async function* whileTokenLasts<T>(
  telex: Telex,
  caller: Caller,
  events: AsyncIterable<T>,
  abort: () => void,
): AsyncGenerator<T, void> {
  const token = watchToken(telex, caller, abort);
  try {
    for await (const event of events) {
      token.assert();
      yield event;
    }
  } finally {
    token.stop();
  }
}
