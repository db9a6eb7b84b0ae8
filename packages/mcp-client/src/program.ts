import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  deserializeMessage,
  type JSONRPCMessage,
  serializeMessage,
  type Transport,
} from "@modelcontextprotocol/client";
import { mostBytes } from "./bounds.ts";
import { createLines } from "./lines.ts";
import type { ProgramOptions } from "./options.ts";

/**
 * Begins the program in a process group that ends with Telex, however Telex ends: the kernel then closes descriptor 3, which only Telex holds, and
 * the watcher kills the group. A program that leaves its group escapes.
 */
const launcher = '(cat <&3; kill -KILL 0) >/dev/null 2>&1 & exec 3<&-; unset PWD OLDPWD SHLVL; exec "$@"';

/** Milliseconds between the end of its input and its death. */
const leaveTime = 1000;

/** PATH and LANG of Telex, and the configured environment. It contains no secret of Telex. */
function environmentOf({ env }: ProgramOptions, home: string): Record<string, string> {
  const { PATH = "/usr/local/bin:/usr/bin:/bin", LANG = "C.UTF-8" } = process.env;
  return { PATH, LANG, HOME: home, ...env };
}

function start(options: ProgramOptions, home: string) {
  const child = spawn("/bin/sh", ["-c", launcher, "sh", options.command, ...options.args], {
    cwd: home,
    env: environmentOf(options, home),
    detached: true,
    stdio: ["pipe", "pipe", "ignore", "pipe"],
  });
  const life = child.stdio[3];
  // Ends the watcher, which ends the group.
  const kill = (): void => void life?.destroy();
  // A program that has ended takes no more input; `close` reports its end.
  for (const stream of [child.stdin, life]) stream?.on("error", () => undefined);
  return { child, input: child.stdin, output: child.stdout, kill };
}

/** A connection to a program, which it starts. */
export function createProgramTransport(options: ProgramOptions): Transport {
  let running: ReturnType<typeof start> | null = null;
  let allowance = mostBytes;
  const fail = (reason: string): void => {
    transport.onerror?.(new Error(reason));
    running?.kill();
  };
  const take = (line: string): void => {
    let message: JSONRPCMessage;
    try {
      message = deserializeMessage(line);
    } catch {
      // Some programs print other lines.
      return;
    }
    transport.onmessage?.(message);
  };
  const listen = ({ child, output, kill }: ReturnType<typeof start>, home: string): void => {
    const read = createLines(take);
    output?.on("data", (chunk: Buffer) => {
      allowance -= chunk.length;
      if (allowance >= 0) read(chunk);
      else fail(`It sent more than ${mostBytes} bytes.`);
    });
    child.once("exit", kill);
    child.once("error", (error) => transport.onerror?.(error));
    child.once("close", () => {
      running = null;
      void rm(home, { recursive: true, force: true }).catch(() => undefined);
      transport.onclose?.();
    });
  };
  // The client treats a transport with these two fields as a program: if it stays silent, the client tries the handshake of 2025.
  const transport: Transport & { readonly pid: number | null; readonly stderr: null } = {
    get pid() {
      return running?.child.pid ?? null;
    },
    stderr: null,
    async start() {
      const home = await mkdtemp(join(tmpdir(), "telex-tools-"));
      running = start(options, home);
      listen(running, home);
    },
    send(message) {
      allowance = mostBytes;
      const input = running?.input;
      if (input?.writable !== true) return Promise.reject(new Error("The program has ended."));
      input.write(serializeMessage(message));
      return Promise.resolve();
    },
    async close() {
      if (running === null) return;
      const { child, input, kill } = running;
      const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
      input?.end();
      const late = setTimeout(kill, leaveTime);
      await ended;
      clearTimeout(late);
    },
  };
  return transport;
}
