import { type Caller, TelexError } from "@telex/core";
import {
  aiContract,
  type CallContext,
  type CapabilityName,
  capabilityNames,
  listOperations,
  type NamedOperation,
  type Operation,
  type OperationName,
} from "@telex/core/contract";
import type { Locale } from "@telex/core/transport";
import type { BodyBounds } from "../request/body-cost.ts";
import type { Call } from "../request/call.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { HttpResponse, Refuse } from "../response/http-response.ts";
import { eventResponse, writers } from "./writers.ts";
import { routes } from "../routes.ts";
import { adminRoutes, type NotOffered, type Route } from "../routes.ts";
import type { Replies } from "../replies/replies.ts";
import type { HttpTelex } from "../limits.ts";

/** An operation and its place in HTTP. */
export interface RoutedOperation {
  readonly name: string;
  readonly operation: Operation;
  readonly route: Route;
}

/** An operation of an instance and its place in HTTP. */
export interface InstanceOperation extends RoutedOperation, NamedOperation {
  readonly name: OperationName;
  /** Its capability; `admin` for those of the operator. */
  readonly chapter: CapabilityName | "admin";
}

/** A routed operation of one instance. */
export interface Endpoint extends RoutedOperation {
  /** Makes failures. Default: those of the envelope. */
  readonly refuser?: (exchange: Exchange, fallback: Locale) => Refuse;
  /**
   * The limits of its JSON bodies, if they depend on the instance. Default: what its longest input needs, at most `bodySize`.
   * @throws TelexError if the caller may not ask
   */
  readonly bodyBounds?: (caller: Caller) => Promise<BodyBounds>;
  /**
   * Answers a call.
   * @param withInput reads the input, passes it to `use`, and releases it; throws or rejects as `use` does, or if the input cannot be read
   * @throws TelexError if the call fails
   */
  answer(
    call: Call,
    withInput: <T>(use: (input: unknown) => Promise<T>) => Promise<T>,
  ): Promise<HttpResponse> | HttpResponse;
}

/** True for an operation that is always open, or that an installation may open: its contract alone requires no token. */
export const isOpen = ({ access }: Operation): boolean => access === "none" || typeof access === "object";

interface EndpointParts<O> extends RoutedOperation, Pick<Endpoint, "refuser" | "bodyBounds"> {
  /** The call itself: it checks its input. */
  readonly call: (caller: Caller, input: unknown, context: CallContext) => Promise<O>;
  /** Turns the result of the call into a response. */
  readonly write: (output: O, call: Call) => HttpResponse | Promise<HttpResponse>;
}

/** An endpoint that reads its input, makes the call, and writes the result. */
export const createEndpoint = <O>({ call: run, write, ...routed }: EndpointParts<O>): Endpoint => ({
  ...routed,
  answer: async (call, withInput) => write(await withInput((input) => run(call.caller, input, call)), call),
});

type Rows = Readonly<Record<string, Route | NotOffered | null>>;

const placed = (chapter: InstanceOperation["chapter"], prefix: string, rows: Rows): InstanceOperation[] =>
  listOperations().flatMap((named) => {
    const route = named.name === `${prefix}.${named.method}` ? (rows[named.method] ?? null) : null;
    return route === null || "notOffered" in route ? [] : [{ ...named, chapter, route }];
  });

/** Every operation that has an address in HTTP, the operator's last. */
export const routedOperations = (): InstanceOperation[] => [
  ...capabilityNames.flatMap((capability) => placed(capability, capability, routes[capability])),
  ...Object.entries<Rows>(adminRoutes).flatMap(([service, rows]) => placed("admin", `operator.${service}`, rows)),
];

const eventsOf = aiContract.chat.output;

/** Answers with the events of a reply: of a new one, or of one whose stream was lost. */
const answerWithEvents =
  (telex: HttpTelex, replies: Replies, operation: OperationName): Endpoint["answer"] =>
  async (call, withInput) => {
    const { caller, exchange, refuse } = call;
    const lastEventId = exchange.header("last-event-id") ?? "";
    if (lastEventId !== "") return eventResponse(await replies.resume(caller, lastEventId, refuse), telex);
    if (caller.kind !== "token") throw new TelexError("invalid_token");
    const { trace } = call;
    const start = (signal: AbortSignal) =>
      withInput(async (input) => eventsOf.parse(await telex.call(operation, caller, input, { signal, trace })));
    const source = await replies.begin(caller, start, { operation, refuse, gone: call.signal });
    return eventResponse(source, telex);
  };

function endpointOf(telex: HttpTelex, replies: Replies, routed: InstanceOperation): Endpoint {
  const { name, route } = routed;
  if (route.response === "events") return { ...routed, answer: answerWithEvents(telex, replies, name) };
  const write = writers[route.response];
  return createEndpoint({
    ...routed,
    call: (caller, input, context) => telex.call(name, caller, input, context),
    write,
  });
}

/** Every operation of an instance that has an address in HTTP. */
export const endpointsOf = (telex: HttpTelex, replies: Replies): Endpoint[] =>
  routedOperations().map((routed) => endpointOf(telex, replies, routed));
