import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { parse, textAt } from "test-support/json";
import { start } from "test-support/command";
import { type Api, createApi } from "./api.ts";

/** One run of the server, from its start to its kill. */
export interface Life {
  readonly url: string;
  readonly apis: { readonly alice: Api; readonly bob: Api };
  readonly anybody: Api;
  readonly pid: number;
  /** Milliseconds from its start to its first answer. */
  readonly startTime: number;
  /** True from just before it is killed. */
  dying: boolean;
  /** Kills it. Resolves when it is gone. */
  kill(): Promise<void>;
}

/** The tokens with which a run makes its calls. */
export interface Tokens {
  readonly alice: string;
  readonly bob: string;
}

const serve = (folder: string, node: readonly string[] = []): ChildProcessWithoutNullStreams =>
  start(
    [
      "serve",
      "--port",
      "0",
      "--mqtt-port",
      "0",
      "--json",
      "--data",
      folder,
      "--rate-limits",
      "off",
      "--log-level",
      "error",
    ],
    { node },
  );

async function firstLine(child: ChildProcessWithoutNullStreams): Promise<string | null> {
  let text = "";
  for await (const chunk of child.stdout) {
    text += String(chunk);
    if (text.includes("\n")) return text.slice(0, text.indexOf("\n"));
  }
  return null;
}

/**
 * Starts the built server on a folder and waits until it listens.
 * @param node options of Node itself
 * @throws Error with its log when it does not start
 */
export async function live(folder: string, { alice, bob }: Tokens, node: readonly string[] = []): Promise<Life> {
  const began = performance.now();
  const child = serve(folder, node);
  const log: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => log.push(chunk));
  const ended = once(child, "close");
  const line = await firstLine(child);
  if (line === null) throw new Error(`The server did not start: ${Buffer.concat(log).toString()}`);
  const url = textAt(parse(line), "url");
  const life: Life = {
    url,
    apis: { alice: createApi(url, alice), bob: createApi(url, bob) },
    anybody: createApi(url, null),
    pid: child.pid ?? 0,
    startTime: performance.now() - began,
    dying: false,
    async kill() {
      life.dying = true;
      child.kill("SIGKILL");
      await ended;
      const told = Buffer.concat(log).toString();
      if (told !== "") throw new Error(`The server logged errors: ${told}`);
    },
  };
  return life;
}

/** Starts the server and kills it after this many milliseconds, whatever its state. */
export async function killAtStart(folder: string, time: number): Promise<void> {
  const child = serve(folder);
  const ended = once(child, "close");
  child.stdout.resume();
  child.stderr.resume();
  await delay(time);
  child.kill("SIGKILL");
  await ended;
}
