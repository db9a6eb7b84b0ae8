import type { Caller } from "./caller.ts";
import type { Access, CallContext, Contract, Family, Implementation, Operation, Service } from "./contract.ts";
import { TelexError } from "./errors.ts";
import { issuesOf } from "./issues.ts";
import type { Work } from "./work.ts";

/** Whether a family of operations is open to everybody or needs a token with `chat`. */
export type FamilyAccess = Readonly<Record<Family, "public" | "token">>;

/** What {@link bind} needs besides contract and implementation. */
export interface BindOptions {
  readonly families: FamilyAccess;
  /** Check what an operation returns against its contract: for tests, where a wrong answer is a fault of ours. */
  readonly checkOutput: boolean;
  readonly work: Work;
}

const needed = (access: Access, options: BindOptions): Exclude<Access, object> =>
  typeof access === "string" ? access : options.families[access.family] === "token" ? "chat" : "none";

const isForDevices = (scopes: readonly string[]): boolean =>
  scopes.length > 0 && scopes.every((scope) => scope.startsWith("device:"));

function authorize(access: Exclude<Access, object>, caller: Caller): void {
  if (access === "none") return;
  if (access === "operator") {
    if (caller.kind !== "operator") throw new TelexError("insufficient_scope", { params: { scope: "operator" } });
    return;
  }
  if (caller.kind !== "token") throw new TelexError("invalid_token");
  if (access === "chat" && !caller.scopes.includes("chat")) {
    throw new TelexError("insufficient_scope", { params: { scope: "chat" } });
  }
  if (access === "token" && isForDevices(caller.scopes)) {
    throw new TelexError("insufficient_scope", { params: { scope: "profile" } });
  }
}

const deviceOf = (input: unknown): string =>
  typeof input === "object" && input !== null && "deviceId" in input ? String(input.deviceId) : "";

/** A token of one device acts for that device and for nothing else. */
function authorizeDevice(caller: Caller, input: unknown): void {
  const scope = `device:${deviceOf(input)}`;
  if (caller.kind === "token" && !caller.scopes.includes("chat") && !caller.scopes.includes(scope)) {
    throw new TelexError("insufficient_scope", { params: { scope: "chat" } });
  }
}

/**
 * The input as the schema of an operation reads it.
 * @throws TelexError `invalid_request` with one issue for each wrong field.
 */
export function parseInput(operation: Operation, input: unknown): unknown {
  const parsed = operation.input.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new TelexError("invalid_request", { issues: issuesOf(parsed.error, input) });
}

type Method = (caller: Caller, input: unknown, context?: CallContext) => Promise<unknown>;

function bindOperation(operation: Operation, call: Method, options: BindOptions): Method {
  const access = needed(operation.access, options);
  return (caller, input, given = {}) =>
    options.work.run(given, async (context) => {
      authorize(access, caller);
      const parsed = parseInput(operation, input);
      if (access === "device") authorizeDevice(caller, parsed);
      const output = await call(caller, parsed, context);
      return options.checkOutput ? operation.output.parse(output) : output;
    });
}

/**
 * Puts the access check and the schema in front of every method of an implementation, once for all transports.
 * The methods throw TelexError `invalid_token`, `insufficient_scope`, `invalid_request`, `shutting_down`, and what the
 * implementation throws.
 */
export function bind<C extends Contract>(
  contract: C,
  implementation: Implementation<C>,
  options: BindOptions,
): Service<C> {
  const methods = Object.entries(contract).map(([name, operation]) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the contract ties each method to its operation; entries lose that
    const call = implementation[name] as unknown as Method;
    return [name, bindOperation(operation, call, options)] as const;
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one method for every name of the contract, made just now
  return Object.fromEntries(methods) as unknown as Service<C>;
}
