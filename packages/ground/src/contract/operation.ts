import type { z } from "zod";
import type { Caller, Operator, TokenHolder } from "./caller.ts";
import type { ErrorCode } from "../errors/keys.ts";
import type { SecurityEvent } from "./security-events.ts";

/** Groups of operations that need no token unless the operator closes them (`access`, decisions of the installation). */
export const families = ["images", "avatars", "codes", "downloads", "pairing"] as const;

type Family = (typeof families)[number];

/** The access to a family of operations: open, or with a token with `chat`. */
export type FamilyAccess = Readonly<Record<Family, "public" | "token">>;

/**
 * The right that a caller needs: none (`none`), any valid token except one that is only for devices (`token`), a token with
 * the scope `chat` (`chat`), a token for the device in the input (`device`: `chat`, or `device:<deviceId>`), to be the
 * operator or to have a token with the scope `admin` (`operator`), or the right that the installation sets for a family
 * (none, or `chat`).
 */
export type Access = "none" | "token" | "chat" | "device" | "operator" | { readonly family: Family };

/** One operation, independent of transports: its purpose, its access, its input and output, and its errors. */
export interface Operation {
  readonly summary: string;
  readonly access: Access;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /** For an output in pieces: the schema of each kind of piece, without its `kind`. */
  readonly pieces?: Readonly<Record<string, z.ZodType>>;
  /** Its errors, in addition to `invalid_request`, `invalid_token`, `insufficient_scope`, `internal` and those of the storage. */
  readonly errors: readonly ErrorCode[];
  /** The event in the security log after a success, with the ids of the input and output. */
  readonly event?: SecurityEvent;
}

/** The operations of one capability, by name. */
export type Contract = Readonly<Record<string, Operation>>;

/** Keeps the exact types of a contract. */
export const defineContract = <const C extends Contract>(contract: C): C => contract;

/** A command about an open connection. Other transports do not have it. */
export interface ConnectionCommand {
  readonly summary: string;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
}

/** The headers with the trace of a caller (W3C Trace Context), unchecked. */
export interface TraceHeaders {
  readonly traceparent: string;
  /** Null if the header is missing. */
  readonly tracestate: string | null;
}

/** The request of a call, for plug-ins that sign people in. Only available over HTTP. */
export interface CallRequest {
  /**
   * The value of a header; null if the request does not have it.
   * @param name in lower case
   */
  readonly header: (name: string) => string | null;
  /** The address of the caller; null if the host does not provide it. */
  readonly address: () => string | null;
  /** Sets a header of the response, whether the call succeeds or not. */
  readonly setHeader: (name: string, value: string) => void;
}

/**
 * The meaning of a nonce from a client that reuses nonces, as MQTT does with its packet identifiers: `new` is always a new text; `same` is a
 * repeat if the last text with this nonce has the same content, and otherwise a new text. The nonce then belongs to the new text.
 */
export type NonceReuse = "new" | "same";

/** Facts about the call that a transport passes to an operation. */
export interface CallContext {
  /** Aborted when the caller has left. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Registers a listener that is called exactly once: with true if the response was written completely, with false if it could
   * not be. If a transport cannot tell, a response counts as written when the operation returns.
   */
  readonly onWritten?: (listener: (written: boolean) => void) => void;
  /**
   * Counts this many more calls in the caller's rate, when an operation knows its cost. Transports without rates count
   * nothing.
   */
  readonly charge?: ((calls: number) => void) | undefined;
  /** The meaning of the nonce of a device's text. Default: it belongs to one text. */
  readonly nonceReuse?: NonceReuse | undefined;
  /** The connection of the call. It does not get events about its own actions. */
  readonly origin?: object | undefined;
  /** The trace of the call. Only observers read it. */
  readonly trace?: TraceHeaders | undefined;
  /** The request of the call. Only plug-ins read it. */
  readonly request?: CallRequest | undefined;
}

/** The possible callers of an operation, by its access. */
export type CallerOf<A extends Access> = A extends "operator"
  ? Operator | TokenHolder
  : A extends "token" | "chat" | "device"
    ? TokenHolder
    : Caller;

/** Runs an operation with an authorized caller and parsed input. */
export type RunOperation<O extends Operation> = (
  caller: CallerOf<O["access"]>,
  input: z.output<O["input"]>,
  context: CallContext,
) => Promise<z.output<O["output"]>>;

/** An operation with its access check and its schema: it accepts any caller and unparsed input. */
export type BoundOperation<O extends Operation> = (
  caller: Caller,
  input: unknown,
  context?: CallContext,
) => Promise<z.output<O["output"]>>;

/** The operations of a contract for callers: any caller, and unparsed input. */
export type Service<C extends Contract> = {
  readonly [K in keyof C]: (
    caller: Caller,
    input: z.input<C[K]["input"]>,
    context?: CallContext,
  ) => Promise<z.output<C[K]["output"]>>;
};

/** The operations of a contract as a service implements them: an authorized caller, and parsed input. */
export type Implementation<C extends Contract> = { readonly [K in keyof C]: RunOperation<C[K]> };
