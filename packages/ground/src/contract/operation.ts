import type { z } from "zod";
import type { Caller, Operator, TokenHolder } from "./caller.ts";
import type { ErrorCode } from "../errors/keys.ts";
import type { SecurityEvent } from "./security-events.ts";

/** Groups of operations that need no token unless the operator closes them (`access`, decisions of the installation). */
export const families = ["images", "avatars", "codes", "downloads", "pairing"] as const;

type Family = (typeof families)[number];

/** The access of a family of operations: open, or with a token with `chat`. */
export type FamilyAccess = Readonly<Record<Family, "public" | "token">>;

/**
 * The right that a caller needs: none (`none`), any valid token but one that is only for
 * devices (`token`), a token with the scope `chat`, a token for the device
 * named in the input (`device`: `chat`, or `device:<deviceId>`), to be the operator or to have a token with the scope `admin`
 * (`operator`), or the right that the installation sets for a family (none, or `chat`).
 */
export type Access = "none" | "token" | "chat" | "device" | "operator" | { readonly family: Family };

/** One operation, free of any transport: what it is, who may call it, what goes in, what comes out, how it can fail. */
export interface Operation {
  readonly summary: string;
  readonly access: Access;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /** For an output that comes piece by piece: the schema of each kind of piece, without its `kind`. */
  readonly pieces?: Readonly<Record<string, z.ZodType>>;
  /** Its errors besides `invalid_request`, `invalid_token`, `insufficient_scope`, `internal` and those of the storage. */
  readonly errors: readonly ErrorCode[];
  /** The event in the log of security after a success, with the ids of its input and output. */
  readonly event?: SecurityEvent;
}

/** The operations of one capability, by name. */
export type Contract = Readonly<Record<string, Operation>>;

/** Keeps the exact types of a contract. */
export const defineContract = <const C extends Contract>(contract: C): C => contract;

/** A command that only an open connection can ask for: it belongs to the connection, so that no other transport has it. */
export interface ConnectionCommand {
  readonly summary: string;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
}

/** The headers that name the trace of a caller (W3C Trace Context), not checked. */
export interface TraceHeaders {
  readonly traceparent: string;
  /** Null if the header is missing. */
  readonly tracestate: string | null;
}

/** The request of a call, for plug-ins that sign people in. Only HTTP has it. */
export interface CallRequest {
  /**
   * The value of a header; null if the request does not have it.
   * @param name in lower case
   */
  readonly header: (name: string) => string | null;
  /** The address of the caller; null if the host does not tell it. */
  readonly address: () => string | null;
  /** Sets a header of the response, whether the call succeeds or not. */
  readonly setHeader: (name: string, value: string) => void;
}

/**
 * How a client that uses nonces again, as MQTT does with its packet identifiers, means one: `new` always is a new text, and `same` is a
 * repeat if the last text of this nonce has the same content, else a new text. The nonce names the new text from then on.
 */
export type NonceReuse = "new" | "same";

/** Facts about the call that a transport passes to an operation. */
export interface CallContext {
  /** Aborted when the caller has left. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Registers a listener that is called exactly once: with true when the answer was written to its end, with false when it
   * could not be. Where a transport cannot tell, an answer counts as written when the operation returns.
   */
  readonly onWritten?: (listener: (written: boolean) => void) => void;
  /**
   * Counts the call as this many more calls in the caller's rate, once an operation knows what it costs. Where a transport has
   * no rates, nothing is counted.
   */
  readonly charge?: ((calls: number) => void) | undefined;
  /** How the nonce of a text of a device is meant. Default: it names one text. */
  readonly nonceReuse?: NonceReuse | undefined;
  /** The connection on which the call came: it is not told again of what it did itself. */
  readonly origin?: object | undefined;
  /** The trace that the call belongs to. Only observers look at it. */
  readonly trace?: TraceHeaders | undefined;
  /** The request of the call. Only plug-ins look at it. */
  readonly request?: CallRequest | undefined;
}

/** The caller of an operation, by its access. */
export type CallerOf<A extends Access> = A extends "operator"
  ? Operator | TokenHolder
  : A extends "token" | "chat" | "device"
    ? TokenHolder
    : Caller;

/** Runs an operation, with a caller that may call it and with parsed input. */
export type RunOperation<O extends Operation> = (
  caller: CallerOf<O["access"]>,
  input: z.output<O["input"]>,
  context: CallContext,
) => Promise<z.output<O["output"]>>;

/** An operation behind its access check and its schema: it takes any caller, and input that was not parsed. */
export type BoundOperation<O extends Operation> = (
  caller: Caller,
  input: unknown,
  context?: CallContext,
) => Promise<z.output<O["output"]>>;

/** The operations of a contract as callers see them: unparsed input, any caller. */
export type Service<C extends Contract> = {
  readonly [K in keyof C]: (
    caller: Caller,
    input: z.input<C[K]["input"]>,
    context?: CallContext,
  ) => Promise<z.output<C[K]["output"]>>;
};

/** The operations of a contract as a service writes them: parsed input, a caller that may call. */
export type Implementation<C extends Contract> = { readonly [K in keyof C]: RunOperation<C[K]> };
