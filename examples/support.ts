import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { json } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { openRawSocket, type RawSocket } from "test-support/raw-socket";
import { onTestFinished } from "vitest";

const api = "/external/api/v1";

/** An example that runs in a process of its own, as its reader would start it. */
export interface Example {
  /** Where it listens, without a slash at its end. */
  readonly url: string;
  readonly token: string;
  readonly groupId: number;
  /** Where it takes events of another network, if it does. */
  readonly events: string;
  /** Asks it to stop, as a service manager does, and answers with its exit code. */
  readonly stop: () => Promise<unknown>;
  /** Ends it, whatever it is doing. */
  readonly kill: () => void;
}

async function readUntil(child: ChildProcess, pattern: RegExp): Promise<string> {
  let text = "";
  const ended = once(child, "close").then(() => null);
  for (;;) {
    const chunk = child.stdout === null ? null : await Promise.race([once(child.stdout, "data"), ended]);
    if (chunk === null) throw new Error(`The example ended: ${text}`);
    text += String(chunk[0]);
    if (pattern.test(text)) return text;
  }
}

const find = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1] ?? "";

/** Starts an example on the built packages and a free port. The caller ends it. */
export async function launchExample(name: string, env: Readonly<Record<string, string>> = {}): Promise<Example> {
  const child = spawn(process.execPath, ["main.ts"], {
    cwd: fileURLToPath(new URL(name, import.meta.url)),
    env: { ...process.env, ...env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended: Promise<unknown[]> = once(child, "close");
  const printed = await readUntil(child, /\}\n$/);
  return {
    url: find(printed, /url: '([^']+)'/) || `http://127.0.0.1:${find(printed, /port: (\d+)/)}`,
    token: find(printed, /token: '([^']+)'/),
    groupId: Number(find(printed, /groupId: (\d+)/)),
    events: find(printed, /events: '([^']+)'/),
    async stop() {
      child.kill("SIGTERM");
      const [code] = await ended;
      return code;
    },
    kill: () => void child.kill("SIGKILL"),
  };
}

/** The same, until the test is over. */
export async function startExample(name: string, env: Readonly<Record<string, string>> = {}): Promise<Example> {
  const example = await launchExample(name, env);
  onTestFinished(example.kill);
  return example;
}

/** Calls the interface below `base` with a token, and answers the status and what the body says. */
export async function call(base: string, path: string, token: string, body?: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  const response = await fetch(`${base}${api}${path}`, init);
  return { status: response.status, body: await response.json() };
}

async function openRooms(base: string, token: string): Promise<RawSocket> {
  const raw = await openRawSocket(`${base.replace(/^http/, "ws")}${api}/im/imWebSocket/${token}`);
  onTestFinished(() => raw.socket.terminate());
  return raw;
}

/** Sends one frame over `imWebSocket` and answers the frame that comes back. */
export async function command(base: string, token: string, frame: object): Promise<unknown> {
  const { send, nextText } = await openRooms(base, token);
  send(frame);
  return JSON.parse(await nextText());
}

/** Listens to the rooms of a token's user. The function returns the received frames, once it has `count` of them. */
export async function listen(base: string, token: string): Promise<(count: number) => Promise<readonly unknown[]>> {
  const { nextText } = await openRooms(base, token);
  const frames: unknown[] = [];
  return async (count) => {
    while (frames.length < count) frames.push(JSON.parse(await nextText()));
    return [...frames];
  };
}

/** Another server that the example talks to. */
export async function startServer(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => server.close().closeAllConnections());
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("The server listens on no port.");
  return `http://127.0.0.1:${address.port}`;
}

/** The JSON that a request carries. */
export const bodyOf = async (request: IncomingMessage): Promise<unknown> => await json(request);
