import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import sharp from "sharp";
import { timeCommand } from "../lib/command.ts";
import { run, serverCore, withFolder } from "../lib/process.ts";
import type { Subject, Workload } from "../lib/workload.ts";

const launcher = new URL("../../packages/cli/bin/telex.cjs", import.meta.url).pathname;
const telex = new URL("../servers/telex.ts", import.meta.url).pathname;

/** Milliseconds from the start of `telex serve` to its first response. */
async function timeToAnswer(folder: string): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const began = performance.now();
  const child = spawn(process.execPath, [launcher, "serve", "--port", String(port), "--data", folder], {
    stdio: "ignore",
  });
  try {
    for (;;) {
      const answered = await new Promise<boolean>((resolve) => {
        const socket = connect(port, "127.0.0.1");
        socket.on("error", () => resolve(false));
        socket.on("close", () => resolve(false));
        socket.on("data", (chunk) => resolve(chunk.includes("200 OK")));
        socket.on("connect", () => socket.write("GET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"));
      });
      if (answered) return performance.now() - began;
      if (child.exitCode !== null) throw new Error("telex serve ended");
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  } finally {
    child.kill("SIGKILL");
    await once(child, "close");
  }
}

/** MiB of resident memory three seconds after a program says that it is ready. */
async function idleMemory(args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  try {
    await once(child.stdout, "data");
    await new Promise((resolve) => setTimeout(resolve, 3000));
    const status = await readFile(`/proc/${child.pid}/status`, "utf8");
    return Number(/VmRSS:\s*(\d+)/.exec(status)?.[1]) / 1024;
  } finally {
    child.kill("SIGKILL");
    await once(child, "close");
  }
}

const bareNode = ["-e", "console.log(1); setInterval(() => {}, 1000)"];

const idleServer = (name: string, ...options: readonly string[]): Subject => ({
  name,
  round: () =>
    withFolder(async (folder) => ({
      MiB: await idleMemory([launcher, "serve", "--port", "0", "--data", folder, ...options]),
    })),
});

const command = (name: string, args: (folder: string) => readonly string[]): Subject => ({
  name,
  round: () =>
    withFolder(async (folder) => {
      const picture = join(folder, "small.jpg");
      await writeFile(
        picture,
        await sharp({ create: { width: 256, height: 256, channels: 3, background: "teal" } })
          .jpeg()
          .toBuffer(),
      );
      const line = [process.execPath, ...args(picture)];
      await timeCommand(line);
      return await timeCommand(line);
    }),
});

/** The times of whole commands, and from the start of a server to its first response. */
export const startWorkloads = (): readonly Workload[] => [
  {
    name: "start image",
    about: "telex image of 256 px as a whole process; the limit is Node's start with the import of sharp",
    subjects: [
      command("limit", () => ["--input-type=module", "-e", 'import "sharp"']),
      command("telex", (picture) => [launcher, "image", picture]),
    ],
  },
  {
    name: "start help",
    about: "telex --help as a whole process; the limit is Node's start",
    subjects: [command("limit", () => ["-e", "0"]), command("telex", () => [launcher, "--help"])],
  },
  {
    name: "start memory",
    about: "resident memory of an idle telex serve; the limit is an idle Node",
    subjects: [
      { name: "limit", round: async () => ({ MiB: await idleMemory(bareNode) }) },
      idleServer("telex"),
      idleServer("small", "--memory", "small"),
    ],
  },
  {
    name: "start serve",
    about: "from the start of telex serve to its first answer, on an empty folder and on a million messages",
    subjects: [
      { name: "empty", round: () => withFolder(async (folder) => ({ ms: await timeToAnswer(folder) })) },
      {
        name: "million",
        round: () =>
          withFolder(async (folder) => {
            const server = await run(telex, [folder, "--messages", "1000000"], serverCore);
            await server.stop();
            return { ms: await timeToAnswer(folder) };
          }),
      },
    ],
  },
];
