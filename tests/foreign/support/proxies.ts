import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { freePort } from "test-support/port";

const examples = fileURLToPath(new URL("../../../deploy/", import.meta.url));

/** A proxy that runs with one of the examples. */
export interface Proxy {
  readonly url: string;
  /** The access log. */
  readonly accessLog: () => Promise<string>;
}

interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

/** Writes the configuration of a test from an example. It only replaces ports, TLS and paths, which depend on the machine. */
type Configure = (example: string, place: Place) => Promise<Program>;

interface Place {
  readonly port: number;
  /** The addresses of the servers. The balancer uses all of them, the other proxies the first one. */
  readonly upstreams: readonly [string, ...string[]];
  readonly folder: string;
}

const nginx: Configure = async (example, { port, upstreams: [upstream], folder }) => {
  const text = example
    .replace("listen 443 ssl;", `listen 127.0.0.1:${port};`)
    .replace("http://127.0.0.1:7700", upstream)
    .replace("/var/log/nginx/telex.log", join(folder, "access.log"));
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const paths = temporary.map((name) => `${name}_temp_path ${join(folder, name)};`).join("\n");
  const main = `daemon off; pid ${join(folder, "pid")}; error_log stderr; events {}\nhttp {\n${paths}\n${text}\n}\n`;
  await writeFile(join(folder, "nginx.conf"), main);
  return { command: "nginx", args: ["-e", "stderr", "-p", folder, "-c", join(folder, "nginx.conf")] };
};

/** The balancer of three servers. If there are fewer, addresses repeat. */
const balancer: Configure = async (example, { port, upstreams, folder }) => {
  const [first] = upstreams;
  const text = example
    .replaceAll("/tmp/", `${folder}/`)
    .replace("/dev/stdout", join(folder, "access.log"))
    .replace("listen 80;", `listen 127.0.0.1:${port};`)
    .replaceAll(/10\.77\.0\.1(\d):7700/g, (_, number: string) =>
      (upstreams[Number(number) - 1] ?? first).replace("http://", ""),
    );
  await writeFile(join(folder, "nginx.conf"), text);
  const args = ["-e", "stderr", "-p", folder, "-c", join(folder, "nginx.conf"), "-g", "daemon off;"];
  return { command: "nginx", args };
};

const caddy: Configure = async (example, { port, upstreams: [upstream], folder }) => {
  const text = example
    .replace("telex.example.org {", `{\n\tadmin off\n\tauto_https off\n}\nhttp://127.0.0.1:${port} {`)
    .replace("127.0.0.1:7700", upstream.replace("http://", ""))
    .replace("log {", `log {\n\t\toutput file ${join(folder, "access.log")}`);
  await writeFile(join(folder, "Caddyfile"), text);
  return { command: "caddy", args: ["run", "--adapter", "caddyfile", "--config", join(folder, "Caddyfile")] };
};

/** Traefik is neither in Debian nor in a registry, so `TELEX_TEST_TRAEFIK` names the program. */
const traefik: Configure = async (example, { port, upstreams: [upstream], folder }) => {
  const text = example
    .replace("telex.example.org", "127.0.0.1")
    .replace(/^ *tls:\n *certResolver: .*\n/m, "")
    .replace("http://127.0.0.1:7700", upstream);
  await writeFile(join(folder, "dynamic.yaml"), text);
  // The access log is configured as in the guide.
  const fields = { names: { RequestPath: "drop", RequestLine: "drop" }, headers: { defaultMode: "drop" } };
  const configuration = {
    entryPoints: { websecure: { address: `127.0.0.1:${port}` } },
    providers: { file: { filename: join(folder, "dynamic.yaml") } },
    accessLog: { filePath: join(folder, "access.log"), format: "json", fields },
    global: { checkNewVersion: false, sendAnonymousUsage: false },
  };
  // JSON is YAML.
  await writeFile(join(folder, "traefik.yaml"), JSON.stringify(configuration));
  const args = [`--configFile=${join(folder, "traefik.yaml")}`];
  return { command: process.env["TELEX_TEST_TRAEFIK"] ?? "traefik", args };
};

/** The proxies whose examples are tested, by the file of the example below `deploy`. */
const proxies = {
  "proxies/nginx.conf": nginx,
  "proxies/Caddyfile": caddy,
  "proxies/traefik.yaml": traefik,
  "several-servers/nginx.conf": balancer,
} as const;

/** The name of an example. */
export type ExampleName = keyof typeof proxies;

async function untilAnswers(url: string, child: ChildProcess, said: () => string): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}/healthz`).catch(() => null);
    if (response?.ok === true) return;
    if (child.exitCode !== null) throw new Error(`The proxy ended: ${said()}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

interface ProxyOptions {
  /** Breaks the example. */
  readonly change?: (example: string) => string;
  /** Default: any free one. */
  readonly port?: number;
}

/** Starts a proxy in front of one or more servers until the test ends. Resolves when a server responds through it. */
export async function startProxy(
  name: ExampleName,
  upstream: string | Place["upstreams"],
  { change = (example) => example, port: given }: ProxyOptions = {},
): Promise<Proxy> {
  const folder = await mkdtemp(join(tmpdir(), "telex-proxy-"));
  await mkdir(join(folder, "home"));
  const port = given ?? (await freePort());
  const example = change(await readFile(join(examples, name), "utf8"));
  const upstreams: Place["upstreams"] = typeof upstream === "string" ? [upstream] : upstream;
  const program = await proxies[name](example, { port, upstreams, folder });
  const env = { ...process.env, HOME: join(folder, "home") };
  const child = spawn(program.command, program.args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (said += text.toString()));
  const ended = once(child, "close");
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${port}`;
  await untilAnswers(url, child, () => said);
  return { url, accessLog: () => readFile(join(folder, "access.log"), "utf8") };
}
