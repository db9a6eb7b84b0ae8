import type { TraceHeaders } from "@telex/ground/contract";
import type { ErrorCode } from "@telex/ground/errors";

/** A call of an operation, before it begins. */
export interface ObservedCall {
  /** `messages.send`, or `<plug-in>.<operation>`. One of a fixed set. */
  readonly operation: string;
  /** The trace that the caller names for the call; undefined if it names none. */
  readonly trace: TraceHeaders | undefined;
}

/** A reply of a model that is over. */
export interface ObservedReply {
  /** The name of the model in this installation. */
  readonly model: string;
  /** Why it ended; `embeddings` for vectors. */
  readonly finish: "stop" | "length" | "content_filter" | "tool_calls" | "stopped" | "failed" | "embeddings";
  /** Milliseconds since the model was asked. */
  readonly ms: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** An operation on the bytes of a file. */
export interface ObservedBlob {
  readonly verb: "put" | "open" | "delete";
  readonly outcome: "ok" | ErrorCode;
  readonly ms: number;
  /** The bytes of `put`; 0 for the other verbs. */
  readonly bytes: number;
}

/** A transaction of the storage. */
export interface ObservedCommit {
  /** Writes that share it. */
  readonly writes: number;
  /** Milliseconds, with the wait for the disk. */
  readonly ms: number;
}

/** A fault of an external network: data that was refused, or a call that failed. */
export interface ObservedFault {
  /** The name of the gateway or plug-in that it came through. */
  readonly source: string;
  /** The reason, such as `wrong_token`. One of a fixed set. */
  readonly cause: string;
}

/** A response of a transport. Of the caller, it names only the network. */
export interface ObservedResponse {
  readonly method: string;
  /** The template of the path, such as `/api/file/:file_id`. One of a fixed set; never a URL. */
  readonly route: string;
  /** The HTTP status; 101 for a socket. */
  readonly status: number;
  /** Milliseconds until the response began. */
  readonly ms: number;
  /** Where the request came from (for IPv6, the /64 network), or null. Called only when it is needed. */
  readonly address: () => string | null;
}

/**
 * Observes an instance, for metrics, traces and access logs. A missing member costs nothing. Each member is called during the
 * work: it MUST NOT throw, and MUST be fast.
 */
export interface Observer {
  /** Calls `run` once, and returns the promise that it returns, or one that settles in the same way. */
  readonly call?: <T>(call: ObservedCall, run: () => Promise<T>) => Promise<T>;
  readonly response?: (response: ObservedResponse) => void;
  /** News of rooms goes to this many connections. */
  readonly fanOut?: (receivers: number) => void;
  readonly reply?: (reply: ObservedReply) => void;
  readonly blob?: (blob: ObservedBlob) => void;
  readonly commit?: (commit: ObservedCommit) => void;
  /** Called for each fault. The log has one line a minute for each cause. */
  readonly fault?: (fault: ObservedFault) => void;
}

type Told = Exclude<keyof Observer, "call">;

/** Calls every observer that listens to this event; undefined if none does. */
function tellAll<E>(
  observers: readonly Observer[],
  listenerOf: (observer: Observer) => ((event: E) => void) | undefined,
): ((event: E) => void) | undefined {
  const [first, ...others] = observers.flatMap((observer) => listenerOf(observer) ?? []);
  if (first === undefined || others.length === 0) return first;
  return (event) => {
    first(event);
    for (const listen of others) listen(event);
  };
}

/** Nests the observers of calls, the first one outermost. */
function callAll(observers: readonly Observer[]): Observer["call"] {
  const [first, ...others] = observers.flatMap(({ call }) => call ?? []);
  const [second, ...rest] = others;
  if (first === undefined || second === undefined) return first;
  const inner = callAll([{ call: second }, ...rest.map((call) => ({ call }))]) ?? second;
  return (observed, run) => first(observed, () => inner(observed, run));
}

export function joinObservers(observers: readonly Observer[]): Observer {
  const call = callAll(observers);
  const events: { readonly [K in Told]: Observer[K] | undefined } = {
    response: tellAll(observers, ({ response }) => response),
    fanOut: tellAll(observers, ({ fanOut }) => fanOut),
    reply: tellAll(observers, ({ reply }) => reply),
    blob: tellAll(observers, ({ blob }) => blob),
    commit: tellAll(observers, ({ commit }) => commit),
    fault: tellAll(observers, ({ fault }) => fault),
  };
  const listeners = Object.entries({ call, ...events }).filter(([, listen]) => listen !== undefined);
  return Object.fromEntries(listeners);
}
