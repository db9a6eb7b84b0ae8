import type { z } from "zod";
import {
  parseInput,
  type Caller,
  type TokenHolder,
  type Access,
  type BoundOperation,
  type CallContext,
  type CallerOf,
  type Contract,
  type FamilyAccess,
  type Operation,
  type RunOperation,
  type SecurityEvent,
} from "@telex/ground/contract";
import { TelexError, type ErrorCode } from "@telex/ground/errors";
import { callerFields, idsOf, type SecurityLog } from "@telex/ground/log";
import { type CallOperation, type Implementations, isOperationName, type Services } from "./contracts.ts";
import type { Tally } from "../observe/figures.ts";
import type { Observer } from "../observe/observer.ts";
import { assertServices, type NamedMethods } from "./complete.ts";
import type { Work } from "./work.ts";

export interface BindOptions {
  readonly families: FamilyAccess;
  /** Checks the output of operations against their contracts: for tests, because a wrong output is a fault of Telex. */
  readonly checkOutput: boolean;
  readonly work: Work;
  readonly security: SecurityLog;
  readonly observer: Observer;
  readonly tally: Tally;
  /** Rejects a token that ended after the call began, with `invalid_token`. */
  readonly assertCurrent: (holder: TokenHolder) => void;
  /** Resolves when the other servers have seen what is stored. */
  readonly seenEverywhere: () => Promise<void>;
}

type Needed = Exclude<Access, object>;

const needed = (access: Access, options: BindOptions): Needed =>
  typeof access === "string" ? access : options.families[access.family] === "token" ? "chat" : "none";

const isForDevices = (scopes: readonly string[]): boolean =>
  scopes.length > 0 && scopes.every((scope) => scope === "device" || scope.startsWith("device:"));

const lacks = (scope: string): TelexError => new TelexError("insufficient_scope", { params: { scope } });

function authorize(access: Needed, caller: Caller): void {
  if (access === "none") return;
  if (access === "operator") {
    if (caller.kind === "operator") return;
    if (caller.kind !== "token") throw new TelexError("invalid_token");
    if (caller.scopes.includes("admin")) return;
    if (caller.mustConfirm === true) throw new TelexError("not_confirmed");
    throw lacks("admin");
  }
  if (caller.kind !== "token") throw new TelexError("invalid_token");
  if (access === "chat" && !caller.scopes.includes("chat")) throw lacks("chat");
  if (access === "token" && isForDevices(caller.scopes)) throw lacks("profile");
}

/** Refuses callers without access. Returns the others as the kind of caller that the operation takes. */
type Authorize<A extends Access> = (caller: Caller) => asserts caller is CallerOf<A>;

const deviceOf = (input: unknown): string =>
  typeof input === "object" && input !== null && "deviceId" in input ? String(input.deviceId) : "";

/** A token for devices acts for them and for nothing else. Whether they are the caller's own is checked later. */
function authorizeDevice(caller: Caller, input: unknown): void {
  const scope = `device:${deviceOf(input)}`;
  if (caller.kind === "token" && !["chat", "device", scope].some((one) => caller.scopes.includes(one)))
    throw new TelexError("insufficient_scope", { params: { scope: "chat" } });
}

type Method = BoundOperation<Operation>;

/** Errors of every operation, whatever its contract lists. */
const undeclared: ReadonlySet<ErrorCode> = new Set([
  "invalid_request",
  "invalid_token",
  "insufficient_scope",
  "not_confirmed",
  "storage_full",
  "storage_unavailable",
  "shutting_down",
  "internal",
]);

/** The error of an operation, or a fault of Telex if its contract does not list the code. */
function assertDeclared(name: string, { errors }: Operation, cause: unknown): unknown {
  if (!TelexError.is(cause) || undeclared.has(cause.code) || errors.includes(cause.code)) return cause;
  return new TypeError(`${name} failed with ${cause.code}, which its contract does not list.`, { cause });
}

const parseOutput = <S extends z.ZodType>(row: { readonly output: S }, output: unknown): z.output<S> =>
  row.output.parse(output);

const checked =
  <O extends Operation>(name: string, operation: O, run: RunOperation<O>): RunOperation<O> =>
  async (caller, input, context) => {
    let output: unknown;
    try {
      output = await run(caller, input, context);
    } catch (cause) {
      throw assertDeclared(name, operation, cause);
    }
    return parseOutput<O["output"]>(operation, output);
  };

/** Failures after which a part of a change may have been made. */
const uncertain: ReadonlySet<ErrorCode> = new Set(["internal", "storage_full", "storage_unavailable"]);

/**
 * Logs the event of an operation: after its success, and also after a failure with an unknown effect. The change is in force on all servers
 * when it resolves.
 */
function noted<O extends Operation>(
  operation: O,
  run: RunOperation<O>,
  { security, seenEverywhere }: BindOptions,
): RunOperation<O> {
  const { event, access } = operation;
  if (event === undefined) return run;
  return async (caller, input, context) => {
    const who = callerFields(caller, access);
    let output: z.output<O["output"]>;
    try {
      output = await run(caller, input, context);
    } catch (cause) {
      if (!TelexError.is(cause) || uncertain.has(cause.code))
        security.note(event, { ...idsOf(event, [input]), ...who, outcome: "unknown" });
      throw cause;
    }
    await seenEverywhere();
    security.note(event, { ...idsOf(event, [output, input]), ...who });
    return output;
  };
}

const isAdmin = (access: Needed, caller: Caller): caller is TokenHolder =>
  access === "operator" && caller.kind === "token";

/**
 * Puts the access check and the schema in front of an operation that belongs to no table, such as one of a plug-in.
 * @param name names it in errors and logs: `<plug-in>.<operation>`
 */
export function bindOne<O extends Operation>(
  name: string,
  operation: O,
  run: RunOperation<O>,
  options: BindOptions,
): BoundOperation<O> {
  const access = needed(operation.access, options);
  const permit: Authorize<O["access"]> = (caller) => authorize(access, caller);
  const call = noted(operation, options.checkOutput ? checked(name, operation, run) : run, options);
  const bound = async (caller: Caller, input: unknown, request: CallContext = {}): Promise<z.output<O["output"]>> => {
    const { context, end } = options.work.start(request);
    try {
      permit(caller);
      const parsed = parseInput<O["input"]>(operation, input);
      if (access === "device") authorizeDevice(caller, parsed);
      if (isAdmin(access, caller)) options.assertCurrent(caller);
      return await call(caller, parsed, context);
    } catch (cause) {
      countFailure(options.tally, cause);
      noteRefusal(options.security, name, caller, cause);
      throw cause;
    } finally {
      end();
    }
  };
  return observed(name, bound, options.observer);
}

function observed<O extends Operation>(
  name: string,
  run: BoundOperation<O>,
  { call: observe }: Observer,
): BoundOperation<O> {
  if (observe === undefined) return run;
  return (caller, input, context) =>
    observe({ operation: name, trace: context?.trace }, () => run(caller, input, context));
}

function countFailure(tally: Tally, cause: unknown): void {
  if (TelexError.is(cause) && !uncertain.has(cause.code)) tally.refused += 1;
  else tally.failed += 1;
}

/** Refusals that an operator may want to see. A call without a token shows only in the status of its response. */
const refusals: { readonly [Code in ErrorCode]?: SecurityEvent } = {
  insufficient_scope: "access.refused",
  not_owner: "access.refused",
  not_member: "access.refused",
  rate_limited: "rate.limited",
};

/** The real reason of a refusal. The answer hides rooms that the caller may not know. */
const refusalOf = (error: TelexError): ErrorCode => (TelexError.is(error.cause) ? error.cause.code : error.code);

function noteRefusal(security: SecurityLog, operation: string, caller: Caller, cause: unknown): void {
  if (caller.kind !== "token" || !TelexError.is(cause)) return;
  const code = refusalOf(cause);
  const event = refusals[code];
  if (event === undefined) return;
  const { userId, tokenId } = caller;
  security.noteOnce(event, `${userId} ${tokenId} ${operation}`, { userId, tokenId, operation, code });
}

function methodOf(implementation: object, operation: string): RunOperation<Operation> {
  const method: unknown = Reflect.get(implementation, operation);
  if (typeof method !== "function") throw new TypeError(`The implementation lacks the operation ${operation}.`);
  return (...args): Promise<unknown> => Promise.resolve(Reflect.apply(method, implementation, args));
}

const bindMethods = (capability: string, contract: Contract, implementation: object, options: BindOptions) =>
  Object.entries(contract).map(([operation, row]) => {
    const name = `${capability}.${operation}`;
    return { operation, name, method: bindOne(name, row, methodOf(implementation, operation), options) };
  });

const serviceOf = (methods: ReturnType<typeof bindMethods>): Readonly<Record<string, Method>> =>
  Object.fromEntries(methods.map(({ operation, method }) => [operation, method]));

/** The services of a table of contracts, and the same methods by the names of their operations. */
interface BoundTable<T> {
  readonly services: Services<T>;
  readonly methods: Readonly<Record<string, Method>>;
}

/**
 * Binds every contract of a table to the implementation with the same name: puts the access check and the schema in front of each
 * method, once for all transports. The methods throw TelexError `invalid_token`, `insufficient_scope`, `invalid_request`,
 * `shutting_down`, and what the implementation throws.
 * @param prefix stands before the names of the operations
 */
export function bindAll<T extends Readonly<Record<keyof T, Contract>>>(
  table: T,
  implementations: Implementations<T>,
  options: BindOptions,
  prefix = "",
): BoundTable<T> {
  const bound = Object.entries<Contract>(table).map(([capability, contract]) => {
    const implementation: object = Reflect.get(implementations, capability);
    return [capability, bindMethods(prefix + capability, contract, implementation, options)] as const;
  });
  const services = Object.fromEntries(bound.map(([capability, methods]) => [capability, serviceOf(methods)]));
  assertServices(table, services);
  const named = bound.flatMap(([, methods]) => methods.map(({ name, method }) => [name, method] as const));
  return { services, methods: Object.fromEntries(named) };
}

export const createCall =
  (methods: NamedMethods): CallOperation =>
  (name, caller, input, context) =>
    isOperationName(name)
      ? methods[name](caller, input, context)
      : Promise.reject(new TypeError(`There is no operation named ${String(name)}.`));
