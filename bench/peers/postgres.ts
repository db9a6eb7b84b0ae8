import { spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { loadCore, serverCore } from "../lib/process.ts";
import { percentile } from "../lib/statistics.ts";

/** The folder of the programs in Debian's `postgresql-15`. */
export const postgresPrograms = "/usr/lib/postgresql/15/bin";

/** True if PostgreSQL is installed. */
export const hasPostgres = (): boolean => existsSync(`${postgresPrograms}/postgres`);

/** The user of the server, which refuses to run as root. */
export function postgresOwner(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string): number => Number(spawnSync("id", [flag, "postgres"]).stdout);
  return { uid: idOf("-u"), gid: idOf("-g") };
}

function run(core: string, program: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync("taskset", ["-c", core, `${postgresPrograms}/${program}`, ...args], {
    ...postgresOwner(),
    // The server keeps inherited pipes open, so the output would never end.
    stdio: ["ignore", program === "pg_ctl" ? "ignore" : "pipe", program === "pg_ctl" ? "ignore" : "pipe"],
    encoding: "utf8",
    cwd: "/",
  });
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`);
  return stdout;
}

/** The times of statements. */
interface Repeated {
  /** Milliseconds of each statement. */
  readonly times: readonly number[];
  readonly perSecond: number;
}

/** A server of PostgreSQL that listens only in its data folder. */
export interface Postgres {
  /** The folder of its socket. */
  readonly socket: string;
  /** CPU seconds of all its processes so far, including those that have ended. */
  cpu(): number;
  /** Runs statements. */
  execute(statements: string): void;
  /** Runs a statement in its own transaction, this many times on each of these connections. */
  repeat(statement: string, count: number, connections: number): Repeated;
  stop(): void;
}

/** The state of a process, or null if it has ended. */
function readStat(pid: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return null;
  }
}

/** CPU seconds of a process and of its ended children. The time of a child that ends is counted for its parent. */
function cpuOf(pid: string): number {
  const stat = readStat(pid);
  if (stat === null) return 0;
  const [user, system, childUser, childSystem] = stat.slice(stat.lastIndexOf(")")).split(" ").slice(12, 16).map(Number);
  return ((user ?? 0) + (system ?? 0) + (childUser ?? 0) + (childSystem ?? 0)) / 100;
}

/**
 * Starts a server on the CPU core for servers. It syncs each commit to the disk unless `settings` change that.
 * @param settings such as `["fsync=off"]`
 */
export function startPostgres(folder: string, settings: readonly string[] = []): Postgres {
  const data = `${folder}/postgres`;
  const { uid, gid } = postgresOwner();
  mkdirSync(data, { recursive: true });
  for (const path of [folder, data]) if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
  run(serverCore, "initdb", "-D", data, "--locale=C.UTF-8", "--encoding=UTF8", "--auth=trust");
  const given = ["listen_addresses=", `unix_socket_directories=${data}`, ...settings];
  const options = given.map((setting) => `-c ${setting}`).join(" ");
  run(serverCore, "pg_ctl", "-D", data, "-w", "-l", `${data}/log`, "-o", options, "start");
  const [pid = ""] = readFileSync(`${data}/postmaster.pid`, "utf8").split("\n");
  const connect = ["-h", data, "-d", "postgres"];
  return {
    socket: data,
    cpu() {
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
      return [pid, ...children].reduce((sum, one) => sum + cpuOf(one), 0);
    },
    execute: (statements) =>
      void run(loadCore, "psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", ...connect, "-c", statements),
    repeat(statement, count, connections) {
      const log = `${data}/times-${Math.random()}`;
      const script = `${data}/script-${Math.random()}.sql`;
      run(loadCore, "psql", "-X", "-q", "-t", "-A", "-o", script, ...connect, "-c", `SELECT $text$${statement}$text$`);
      const load = ["-n", "-M", "prepared", "-c", String(connections), "-t", String(count), "-f", script];
      const report = run(loadCore, "pgbench", ...load, "-l", `--log-prefix=${log}`, "-h", data, "postgres");
      const logs = readdirSync(data).filter((name) => `${data}/${name}`.startsWith(log));
      const lines = logs.flatMap((name) => readFileSync(`${data}/${name}`, "utf8").trim().split("\n"));
      const times = lines.map((line) => Number(line.split(" ")[2]) / 1000);
      return { times, perSecond: Number(/^tps = ([\d.]+)/m.exec(report)?.[1]) };
    },
    stop() {
      run(serverCore, "pg_ctl", "-D", data, "-m", "immediate", "stop");
      rmSync(data, { recursive: true, force: true });
    },
  };
}

const insert = "INSERT INTO message (device, content) VALUES ('bench', 'a short line of text')";

/** Inserts texts, each in a transaction that is synced to the disk: over one connection, and over 32 simultaneously. */
export function measurePostgres(folder: string, one: number, many: number) {
  const server = startPostgres(folder);
  try {
    server.execute("CREATE TABLE message (id bigserial PRIMARY KEY, device text NOT NULL, content text NOT NULL)");
    server.repeat(insert, 32, 32);
    const single = server.repeat(insert, one, 1);
    const cpu = server.cpu();
    const { times, perSecond } = server.repeat(insert, many / 32, 32);
    return {
      "send p50 ms": percentile(single.times, 0.5),
      "sends/s": perSecond,
      "CPU µs/send": ((server.cpu() - cpu) * 1e6) / times.length,
    };
  } finally {
    server.stop();
  }
}
