import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { cpuOf, serverCore } from "../lib/process.ts";

/** An XMPP server from Debian, with rooms that store their messages. */
export interface XmppServer {
  readonly port: number;
  /** CPU seconds so far. */
  cpu(): Promise<number>;
  stop(): Promise<void>;
}

/** A peer: its name in the table, and how to start it in an empty folder. */
export interface XmppPeer {
  readonly name: string;
  readonly isInstalled: () => boolean;
  start(folder: string): Promise<XmppServer>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("connect", () => resolve(true)).on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });

async function serverOf(child: ChildProcess, port: number): Promise<XmppServer> {
  const stop = async (): Promise<void> => {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "close");
  };
  for (let waited = 0; !(await answers(port)); waited += 100) {
    if (child.exitCode !== null || waited > 60_000) {
      await stop();
      throw new Error(`${child.spawnargs.join(" ")} did not start`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { port, cpu: async () => await cpuOf(child.pid ?? 0), stop };
}

const start = (folder: string, command: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess =>
  spawn("taskset", ["-c", serverCore, ...command], { cwd: folder, stdio: "ignore", env: { ...process.env, ...env } });

const prosodyConfig = (folder: string, port: number, storage: string): string => `
run_as_root = true
pidfile = "${folder}/prosody.pid"
data_path = "${folder}/data"
interfaces = { "127.0.0.1" }
c2s_ports = { ${port} }
c2s_require_encryption = false
modules_enabled = { "saslauth" }
modules_disabled = { "s2s", "tls" }
storage = "${storage}"
sql = { driver = "SQLite3", database = "prosody.sqlite" }
log = { error = "${folder}/error.log" }
VirtualHost "localhost"
  authentication = "anonymous"
Component "rooms.localhost" "muc"
  modules_enabled = { "muc_mam" }
  muc_room_locking = false
  muc_room_default_persistent = true
  muc_room_default_presence_broadcast = { visitor = false, participant = false, moderator = false }
  muc_log_by_default = true
`;

const prosody = (name: string, storage: string): XmppPeer => ({
  name,
  isInstalled: () => existsSync("/usr/bin/prosody"),
  async start(folder) {
    const [port, config] = [await freePort(), join(folder, "prosody.cfg.lua")];
    await mkdir(join(folder, "data"));
    await writeFile(config, prosodyConfig(folder, port, storage));
    return await serverOf(start(folder, ["/usr/bin/prosody", "-F", "--config", config]), port);
  },
});

const ejabberdConfig = (folder: string, port: number): string => `
loglevel: error
hosts: [localhost]
auth_method: [anonymous]
anonymous_protocol: sasl_anon
default_db: sql
sql_type: sqlite
sql_database: ${folder}/ejabberd.sqlite
listen:
  - {port: ${port}, ip: "127.0.0.1", module: ejabberd_c2s}
modules:
  mod_mam: {default: always}
  mod_muc:
    host: rooms.localhost
    max_users: 5000
    history_size: 0
    default_room_options: {mam: true, persistent: true, max_users: 5000, presence_broadcast: []}
`;

/** Starts without the script of ejabberd, which changes the user and starts a port mapper for clusters on all addresses. */
const ejabberd: XmppPeer = {
  name: "ejabberd sqlite",
  isInstalled: () => ejabberdCode() !== undefined && existsSync("/usr/bin/erl"),
  async start(folder) {
    const [port, config] = [await freePort(), join(folder, "ejabberd.yml")];
    await writeFile(config, ejabberdConfig(folder, port));
    const mnesia = ["-mnesia", "dir", JSON.stringify(join(folder, "mnesia"))];
    const command = ["/usr/bin/erl", "-noinput", "-pa", ejabberdCode() ?? "", ...mnesia, "-s", "ejabberd"];
    return await serverOf(start(folder, command, { EJABBERD_CONFIG_PATH: config }), port);
  },
};

const ejabberdCode = (): string | undefined => globSync("/usr/lib/*/ejabberd-*/ebin")[0];

/** The command that installs the peers on Debian. */
export const xmppPackages = "apt-get install prosody lua-dbi-sqlite3 ejabberd erlang-p1-sqlite3";

/** Prosody with files, which it never syncs, and with SQLite; ejabberd with SQLite. */
export const xmppPeers: readonly XmppPeer[] = [
  prosody("prosody files", "internal"),
  prosody("prosody sqlite", "sql"),
  ejabberd,
];
