import { Client, SdkError, SdkErrorCode, type Transport } from "@modelcontextprotocol/client";
import type { Logger, ToolServerState } from "@telex/core";
import { connectTime, connectWait, mostRunning, probeTime } from "./bounds.ts";
import { createHttpTransport } from "./http.ts";
import { type ListedTool, type Listing, listTools } from "./listing.ts";
import type { ToolServerOptions } from "./options.ts";
import { createProgramTransport } from "./program.ts";
import { type Outcome, outcomeOf } from "./result.ts";
import { cut, plainText } from "./text.ts";

interface CallBounds {
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly time: number;
}

/** A tool server. It connects when it is needed, and again after it has ended. */
export interface ToolServer {
  readonly name: string;
  readonly options: ToolServerOptions;
  /** Its tools; none if it does not connect in time. */
  list(): Promise<readonly ListedTool[]>;
  /** Calls a tool once. Never rejects: a failure is an outcome. */
  call(tool: ListedTool, args: Readonly<Record<string, unknown>>, bounds: CallBounds): Promise<Outcome>;
  state(): ToolServerState;
  close(): Promise<void>;
}

interface Connected extends Listing {
  readonly client: Client;
}

const transportOf = (options: ToolServerOptions): Transport =>
  "command" in options ? createProgramTransport(options) : createHttpTransport(options);

const reasonOf = (error: unknown): string =>
  plainText(cut(error instanceof Error ? error.message : String(error), 200));

/** Milliseconds before the next attempt, after this number of failures. */
const pauseAfter = (failures: number): number => Math.min(60_000, 1000 * 2 ** Math.min(failures - 1, 6));

interface ConnectionEvents {
  readonly ended: (client: Client) => void;
  readonly failed: (error: Error) => void;
  readonly closing: AbortSignal;
}

async function connect(
  name: string,
  options: ToolServerOptions,
  { ended, failed, closing }: ConnectionEvents,
): Promise<Connected> {
  const client = new Client(
    { name: "telex", version: "1.0.0" },
    { versionNegotiation: { mode: "auto", probe: { timeoutMs: probeTime } }, listMaxPages: 8 },
  );
  Object.assign(client, { onerror: failed, onclose: () => ended(client) });
  try {
    await until(client.connect(transportOf(options), { timeout: connectTime }), closing);
    return { client, ...(await until(listTools(client, { server: name, options, time: connectTime }), closing)) };
  } catch (error) {
    await client.close().catch(() => undefined);
    throw error;
  }
}

/** Resolves with null after `time` milliseconds. */
function within<T>(work: Promise<T>, time: number): Promise<T | null> {
  const { promise, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), time);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

/** Rejects when the signal is aborted, even if the work ignores it. */
function until<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const left = (): void => reject(new Error("The call was stopped."));
  signal.addEventListener("abort", left, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener("abort", left));
}

/** Connects when it is asked to, but not again and again to a server that fails. */
function createConnection(name: string, options: ToolServerOptions, log: () => Logger) {
  let connected: Connected | null = null;
  let connecting: Promise<Connected | null> | null = null;
  let failure = "";
  let [failures, pausedUntil] = [0, 0];
  const closing = new AbortController();
  const { signal } = closing;
  const fail = (error: unknown): null => {
    failure = reasonOf(error);
    failures += 1;
    pausedUntil = Date.now() + pauseAfter(failures);
    log().warn("tools.failed", { server: name, reason: failure });
    return null;
  };
  const take = (found: Connected): Connected | null => {
    if (signal.aborted) {
      void found.client.close();
      return null;
    }
    [connected, failure, failures] = [found, "", 0];
    log().info("tools.connected", { server: name, tools: found.tools.length, leftOut: found.leftOut });
    return found;
  };
  const ended = (client: Client): void => {
    if (connected?.client !== client) return;
    connected = null;
    if (!signal.aborted) fail(failure === "" ? "It has ended." : failure);
  };
  const failed = (error: Error): void => void (failure = reasonOf(error));
  const open = async (): Promise<Connected | null> => {
    if (connected !== null || signal.aborted) return connected;
    if (connecting === null && Date.now() < pausedUntil) return null;
    connecting ??= connect(name, options, { ended, failed, closing: signal })
      .then(take, fail)
      .finally(() => (connecting = null));
    return connecting;
  };
  return {
    open,
    state: (): ToolServerState => {
      const state = signal.aborted
        ? "closed"
        : connected !== null
          ? "ready"
          : connecting !== null
            ? "connecting"
            : "failed";
      return { name, state, tools: connected?.tools.length ?? 0, leftOut: connected?.leftOut ?? 0, failure };
    },
    close: async (): Promise<void> => {
      closing.abort();
      await connecting;
      await connected?.client.close().catch(() => undefined);
    },
  };
}

function failureOf(error: unknown, { signal, time }: CallBounds): Outcome {
  const isLate = error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
  if (signal.aborted) return { isOk: false, text: "The call was stopped." };
  return {
    isOk: false,
    text: isLate ? `The tool did not answer in ${Math.ceil(time / 1000)} s.` : `The tool failed: ${reasonOf(error)}`,
  };
}

/** Creates a tool server, which is not connected yet. */
export function createToolServer(name: string, options: ToolServerOptions, log: () => Logger): ToolServer {
  const { open, state, close } = createConnection(name, options, log);
  let running = 0;
  const callOnce = async (tool: ListedTool, args: Readonly<Record<string, unknown>>, bounds: CallBounds) => {
    const found = await within(open(), connectWait);
    if (found === null) return { isOk: false, text: `The server ${name} of the tool cannot be reached.` };
    const { signal, time } = bounds;
    const toolDefinition = { name: tool.name, inputSchema: tool.inputSchema };
    const limits = { signal, timeout: time, maxTotalTimeout: time, toolDefinition };
    return outcomeOf(await until(found.client.callTool({ name: tool.name, arguments: args }, limits), signal));
  };
  return {
    name,
    options,
    list: async () => (await within(open(), connectWait))?.tools ?? [],
    async call(tool, args, bounds) {
      if (running >= mostRunning) return { isOk: false, text: `The server ${name} of the tool is busy.` };
      running += 1;
      try {
        return await callOnce(tool, args, bounds);
      } catch (error) {
        return failureOf(error, bounds);
      } finally {
        running -= 1;
      }
    },
    state,
    close,
  };
}
