import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startMongo } from "test-support/mongo";
import { startNats } from "test-support/nats";
import { freePort } from "test-support/port";

/** A process that is killed and started again at the same address. */
export interface Node {
  readonly name: string;
  readonly port: number;
  /** Ends it with SIGKILL. */
  kill(): Promise<void>;
  /** Resolves when it responds again. */
  start(): Promise<void>;
}

/** The services that all servers share. */
export interface Shared {
  readonly database: string;
  /** The nodes of NATS; empty if the bus uses change streams of the database. */
  readonly nats: readonly string[];
  /** The rate of one token. Default: no limits. */
  readonly rate?: { readonly burst: number; readonly perMinute: number };
  /** The bundle of the version that a server starts as. */
  readonly program: () => string;
}

/** The errors of the servers' clocks in milliseconds: 5 s apart, the allowed maximum. */
const skews = [-2500, 0, 2500] as const;

/** A running process. */
interface Running {
  readonly version: string;
  /** Asks it to hand its clients over to the other servers. */
  readonly drain: () => void;
  /** Ends it with a signal. */
  readonly end: (signal: NodeJS.Signals) => Promise<void>;
}

/** One Telex server. Resolves when it listens. */
async function startServer({ database, nats, program, rate }: Shared, port: number, skew: number): Promise<Running> {
  const version = program();
  const given = JSON.stringify({ database, nats, port: String(port), skew, ...(rate !== undefined && { rate }) });
  const child = spawn(process.execPath, [version, given], { stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "exit");
  const log: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => log.push(chunk));
  const first = await Promise.race([once(child.stdout, "data"), ended.then(() => null)]);
  if (first === null) throw new Error(`A server did not start:\n${Buffer.concat(log).toString()}`);
  return {
    version,
    drain: () => void child.kill("SIGUSR2"),
    async end(signal) {
      child.kill(signal);
      await ended;
    },
  };
}

/** A server of the installation. It keeps its address and the error of its clock. */
export interface ServerNode extends Node {
  /** The bundle that it runs. */
  readonly version: () => string;
  /** Makes it refuse new sockets and close the open ones, over one second. */
  drain(): void;
  /** Stops it gracefully, as an update does. */
  stop(): Promise<void>;
}

async function createServerNode(shared: Shared, name: string, skew: number): Promise<ServerNode> {
  const port = await freePort();
  let running = await startServer(shared, port, skew);
  return {
    name,
    port,
    version: () => running.version,
    drain: () => running.drain(),
    stop: () => running.end("SIGTERM"),
    kill: () => running.end("SIGKILL"),
    async start() {
      running = await startServer(shared, port, skew);
    },
  };
}

/** Three servers whose clocks are 5 s apart. */
export const createServers = (shared: Shared): Promise<readonly ServerNode[]> =>
  Promise.all(skews.map((skew, index) => createServerNode(shared, `server ${index + 1}`, skew)));

export async function createDatabase(folder: string): Promise<Node> {
  const port = await freePort();
  const data = join(folder, "database");
  await mkdir(data);
  const start = () => startMongo({ folder: data, port, isDurable: true });
  let running = await start();
  return {
    name: "database",
    port,
    kill: () => running.kill(),
    async start() {
      running = await start();
    },
  };
}

/** A cluster of three. */
export async function createNats(): Promise<readonly Node[]> {
  // The nodes restart at the same ports, so no other process may take these.
  const ports = async () => ({ port: await freePort(), clusterPort: await freePort() });
  const first = await startNats(await ports());
  const startPeer = async () => startNats({ ...(await ports()), peer: first });
  const all = [first, await startPeer(), await startPeer()];
  return all.map((server, index) => {
    const peer = all[(index + 1) % all.length] ?? first;
    const { port, clusterPort } = server;
    let running = server;
    return {
      name: `nats ${index + 1}`,
      port,
      kill: () => running.kill(),
      async start() {
        running = await startNats({ port, clusterPort, peer });
      },
    };
  });
}

const balancerConfig = (port: number, folder: string, servers: readonly Node[]): string => `
pid ${folder}/nginx.pid;
error_log ${folder}/nginx.log warn;
worker_processes 1;
daemon off;
events { worker_connections 1024; }
http {
  access_log off;
  client_max_body_size 101m;
  client_body_temp_path ${folder}/nginx-body;
  proxy_temp_path ${folder}/nginx-proxy;
  fastcgi_temp_path ${folder}/nginx-fastcgi;
  uwsgi_temp_path ${folder}/nginx-uwsgi;
  scgi_temp_path ${folder}/nginx-scgi;
  map $http_upgrade $connection_upgrade { default upgrade; '' close; }
  upstream telex {
${servers.map(({ port: server }) => `    server 127.0.0.1:${server} max_fails=1 fail_timeout=1s;`).join("\n")}
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://telex;
      proxy_http_version 1.1;
      proxy_next_upstream error timeout http_503;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_read_timeout 75s;
      proxy_buffering off;
      proxy_request_buffering off;
    }
  }
}
`;

/** nginx, which gives each new connection to another server. The test does not kill it. */
export async function startBalancer(folder: string, servers: readonly Node[]) {
  const port = await freePort();
  const config = join(folder, "nginx.conf");
  await writeFile(config, balancerConfig(port, folder, servers));
  const child = spawn("nginx", ["-p", folder, "-c", config], { stdio: "ignore" });
  const ended = once(child, "exit");
  return {
    url: `http://127.0.0.1:${port}`,
    async stop(): Promise<void> {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
