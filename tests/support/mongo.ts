import { execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { freePort } from "./port.ts";

const run = promisify(execFile);

/** A server with MongoDB's protocol, as one Python package. Only tests use it. */
const requirement = "secantusdb==0.7.0b3";

const here = dirname(fileURLToPath(import.meta.url));

/** The program that starts the server. Its comments explain its changes. */
const launcher = join(here, "secantusd.py");

const environment = join(dirname(dirname(here)), "node_modules/.cache/mongo", requirement.replace("==", "-"));

/** Creates the Python environment with the server if it does not exist. */
export async function installMongo(): Promise<void> {
  const mark = join(environment, "installed");
  if (existsSync(mark)) return;
  mkdirSync(dirname(environment), { recursive: true });
  // Another run may create it simultaneously, so a complete one is moved into place.
  const made = mkdtempSync(join(dirname(environment), "made-"));
  await run("python3", ["-m", "venv", made]);
  const quiet = ["--quiet", "--disable-pip-version-check", "--no-input", "--no-compile"];
  await run(join(made, "bin/python"), ["-m", "pip", "install", ...quiet, requirement]);
  writeFileSync(join(made, "installed"), "");
  if (existsSync(mark)) return rmSync(made, { recursive: true });
  rmSync(environment, { recursive: true, force: true });
  renameSync(made, environment);
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** A database server for tests. */
export interface MongoServer {
  /** Without a database: `mongodb://127.0.0.1:40000`. */
  readonly url: string;
  readonly port: number;
  /** Ends the process without a warning, as a power cut would. */
  readonly kill: () => Promise<void>;
  /** Ends the process and deletes the data. */
  readonly stop: () => Promise<void>;
}

export interface MongoServerOptions {
  /** The folder of the data; by default a temporary one, which `stop` deletes. */
  readonly folder?: string;
  /** Default: any free one. */
  readonly port?: number;
  /** Default false. True: an acknowledged write survives a kill of the process. */
  readonly isDurable?: boolean;
  /** Default false. True: each command requires authentication. */
  readonly isProtected?: boolean;
}

/** Polls until the server listens or has ended. */
async function untilListening(port: number, hasEnded: () => boolean): Promise<void> {
  while (!(await isListening(port))) {
    if (hasEnded()) throw new Error("The database server for tests has ended before it listened.");
    await delay(20);
  }
}

/**
 * Starts a database server, after installing it if necessary.
 * @throws Error if it cannot be installed
 */
export async function startMongo(options: MongoServerOptions = {}): Promise<MongoServer> {
  await installMongo();
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), "telex-mongo-"));
  const port = options.port ?? (await freePort());
  const place = ["--host", "127.0.0.1", "--port", String(port), "--storage-path", folder, "--log-level", "ERROR"];
  const modes = [
    "--enable-test-commands",
    ...(options.isDurable === true ? ["--sync-on-commit"] : []),
    ...(options.isProtected === true ? ["--auth"] : []),
  ];
  const child = spawn(join(environment, "bin/python"), [launcher, ...place, ...modes], { stdio: "ignore" });
  const ended = once(child, "exit");
  await untilListening(port, () => child.exitCode !== null);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  return {
    url: `mongodb://127.0.0.1:${port}`,
    port,
    kill: () => end("SIGKILL"),
    async stop() {
      await end("SIGKILL");
      if (options.folder === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}
