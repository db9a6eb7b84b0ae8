import { createTelex, operator, type Telex, type TelexOptions } from "@telex/core";
import type { OperationName } from "@telex/core/contract";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createLogCollector } from "@telex/conformance/testing";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { createMemoryStorage } from "@telex/storage-memory";
import { afterEach, describe } from "vitest";
import { createHttp, type Http, type HttpOptions } from "../src/server/app.ts";
import { serveHttp } from "../src/server/serve.ts";

/** A user of a test, with a token of the scope `chat`. */
export interface Person {
  readonly id: number;
  readonly token: string;
}

/** Options of a test's instance. */
export interface SetupOptions extends HttpOptions {
  readonly telex?: Partial<TelexOptions>;
  /** Wraps the instance for the transport. */
  readonly wrap?: (telex: Telex) => Telex;
}

/** The instance of one test, behind one transport. */
export interface Setup {
  readonly telex: Telex;
  readonly http: Http;
  readonly alice: Person;
  readonly bob: Person;
  /** The log without security events. */
  readonly log: string[];
  /** The security events. */
  readonly security: string[];
  /** Its address; in process, one that is never connected to. */
  readonly url: string;
  /** Sends a request, with the token in the header if one is given. */
  readonly send: (path: string, init?: RequestInit & { readonly token?: string }) => Promise<Response>;
  readonly post: (path: string, body: unknown, token?: string) => Promise<Response>;
  /** A new token with these scopes. */
  readonly issue: (person: Person, scopes: string[]) => Promise<string>;
}

/** The transport between a test and its instance: a `fetch` handler, or a socket. */
export type Transport = "in process" | "over a socket";

type Send = (url: string, init: RequestInit) => Promise<Response>;

async function addPerson(telex: Telex, nickname: string): Promise<Person> {
  const { id } = await telex.operator.users.add(operator, { nickname });
  const { token } = await telex.operator.tokens.issue(operator, { userId: id, scopes: ["chat"] });
  return { id, token };
}

async function connect(http: Http, transport: Transport): Promise<{ url: string; send: Send; close(): Promise<void> }> {
  if (transport === "in process") {
    const send: Send = (url, init) => http.fetch(new Request(url, init));
    return { url: "http://telex.test", send, close: async () => {} };
  }
  const serving = await serveHttp(http, { port: 0 });
  return { url: serving.url, send: (target, init) => fetch(target, init), close: () => serving.close(0) };
}

const closings: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close();
});

/** Closes something after the test. */
export function closeAfterTest(close: () => Promise<void>): void {
  closings.push(close);
}

/** Creates an instance with two users behind this transport. It closes after the test. */
export async function setup(transport: Transport, options: SetupOptions = {}): Promise<Setup> {
  const log = createLogCollector();
  const { telex: telexOptions, wrap = (telex) => telex, ...httpOptions } = options;
  const telex = await createTelex({
    storage: createMemoryStorage(),
    blobs: createMemoryBlobs(),
    images: createSharpEngine(),
    log,
    checkOutput: true,
    ...telexOptions,
  });
  const http = createHttp(wrap(telex), httpOptions);
  const connection = await connect(http, transport);
  const { url } = connection;
  closeAfterTest(async () => {
    await Promise.all([connection.close(), telex.close()]);
  });
  const [alice, bob] = [await addPerson(telex, "Alice"), await addPerson(telex, "Bob")];
  const request: Setup["send"] = (path, { token, headers, ...init } = {}) => {
    const all = new Headers(headers);
    if (token !== undefined) all.set("authorization", `Bearer ${token}`);
    return connection.send(`${url}${path}`, { redirect: "manual", ...init, headers: all });
  };
  return {
    telex,
    http,
    alice,
    bob,
    log: log.lines,
    security: log.security,
    url,
    send: request,
    post: (path, body, token) =>
      request(path, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" },
        ...(token === undefined ? {} : { token }),
      }),
    async issue({ id }, scopes) {
      return (await telex.operator.tokens.issue(operator, { userId: id, scopes })).token;
    },
  };
}

/** Runs the same tests in process and over a socket. */
export function overBothTransports(
  title: string,
  body: (open: (options?: SetupOptions) => Promise<Setup>) => void,
): void {
  describe.each<Transport>(["in process", "over a socket"])(`${title}, %s`, (transport) => {
    body((options) => setup(transport, options));
  });
}

/** The paths of the teleprinter begin with this. */
export const teleprinter = "/external/api/v1/teleprinter";

/** Calls `see` with each call of an operation and its result. If `see` throws, so does the operation. */
export const observeCalls =
  (observed: OperationName, see: (output: Promise<unknown>, signal: AbortSignal | undefined) => Promise<void>) =>
  (telex: Telex): Telex => ({
    ...telex,
    async call(name, caller, input, context) {
      const output = telex.call(name, caller, input, context);
      if (name === observed) await see(output, context?.signal);
      return await output;
    },
  });

/** Reports when a poll begins, when messages are taken, and when no poll is waiting; for use as `wrap`. */
export function observePolls() {
  const begun = Promise.withResolvers<void>();
  const taken = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  const wrap = observeCalls("teleprinter.poll", async (output, signal) => {
    signal?.addEventListener("abort", () => gone.resolve());
    begun.resolve();
    const messages = await output;
    if (Array.isArray(messages) && messages.length > 0) taken.resolve();
  });
  return { wrap, begun: begun.promise, taken: taken.promise, gone: gone.promise };
}
