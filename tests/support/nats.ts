import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** The version of the server of NATS that the tests use. */
const version = "v2.15.2";

const cache = fileURLToPath(new URL("../../node_modules/.cache/nats", import.meta.url));
const program = join(cache, version, "nats-server");

/** Builds the server of NATS with Go if it does not exist. The first build takes a minute. */
export async function installNats(): Promise<void> {
  if (existsSync(program)) return;
  mkdirSync(join(cache, version), { recursive: true });
  // Another run may build it simultaneously, so a complete one is moved into place.
  const built = mkdtempSync(join(cache, "built-"));
  const env = {
    ...process.env,
    // A common place for Go that is often missing from the path.
    PATH: `${process.env["PATH"]}:/usr/local/go/bin`,
    GOBIN: built,
    GOCACHE: join(cache, "build"),
    GOMODCACHE: join(cache, "modules"),
    GOFLAGS: "-modcacherw",
    GOTOOLCHAIN: "local",
  };
  await promisify(execFile)("go", ["install", `github.com/nats-io/nats-server/v2@${version}`], { env });
  renameSync(join(built, "nats-server"), program);
  rmSync(built, { recursive: true });
}

/** A server of NATS in its own process. */
export interface NatsServer {
  /** The port for clients. */
  readonly port: number;
  readonly url: string;
  readonly pid: number;
  /** The port for other servers of its cluster. */
  readonly clusterPort: number;
  /** Sends a signal, such as SIGSTOP. */
  signal(name: NodeJS.Signals): void;
  /** Ends the process with SIGKILL. */
  kill(): Promise<void>;
}

interface NatsOptions {
  /** Default: any free port. */
  readonly port?: number;
  readonly clusterPort?: number;
  /** Another server of the cluster. */
  readonly peer?: Pick<NatsServer, "clusterPort">;
  /** Further arguments. */
  readonly args?: readonly string[];
}

/** Resolves with the ports when the server listens on both. */
async function portsOf(child: ChildProcess): Promise<readonly [client: number, cluster: number]> {
  const ports = new Map<string, number>();
  const lines: string[] = [];
  if (child.stderr === null) throw new TypeError("The server of NATS has no output.");
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line);
    const [, kind = "", port = ""] = /Listening for (client|route) connections on .*:(\d+)/.exec(line) ?? [];
    ports.set(kind, Number(port));
    const [client, route] = [ports.get("client"), ports.get("route")];
    if (client !== undefined && route !== undefined) return [client, route];
  }
  throw new Error(`The server of NATS ended:\n${lines.join("\n")}`);
}

/** Starts a server of NATS on this machine, as a part of a cluster. */
export async function startNats({
  port = -1,
  clusterPort = -1,
  peer,
  args = [],
}: NatsOptions = {}): Promise<NatsServer> {
  const cluster = ["--cluster_name", "test", "--cluster", `nats://127.0.0.1:${clusterPort}`];
  const routes = peer === undefined ? [] : ["--routes", `nats://127.0.0.1:${peer.clusterPort}`];
  const child = spawn(program, ["-a", "127.0.0.1", "-p", String(port), ...cluster, ...routes, ...args], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(child, "exit");
  const [client, route] = await portsOf(child);
  child.stderr.resume();
  return {
    port: client,
    url: `nats://127.0.0.1:${client}`,
    pid: child.pid ?? 0,
    clusterPort: route,
    signal: (name) => void child.kill(name),
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
