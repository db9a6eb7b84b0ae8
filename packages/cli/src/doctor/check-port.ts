import { createServer } from "node:net";
import { codeOf } from "../errors/errors.ts";
import { settings } from "../settings/table.ts";
import type { Config } from "../settings/load.ts";
import { fail, type Finding, ok } from "./finding.ts";
import { answersAsTelex } from "./health.ts";

export async function checkPort(config: Config): Promise<Finding> {
  const [host, port] = [config.get(settings.host), config.get(settings.port)];
  const failed = await tryListen(host, port);
  if (failed !== null) return await explainPort(failed, host, port);
  return ok(port === 0 ? `the server can listen on ${host}` : `${host}:${port} is free`);
}

async function explainPort(failed: Error, host: string, port: number): Promise<Finding> {
  const detail = `the server cannot listen on ${host}:${port} (${codeOf(failed) ?? failed.message})`;
  if (codeOf(failed) !== "EADDRINUSE") return fail(detail, "Choose another --host or --port.");
  if (await isTelex(host, port)) return ok(`${host}:${port} is in use by a running Telex server`);
  return fail(`${host}:${port} is in use by another program`, "Choose another --port.");
}

async function tryListen(host: string, port: number): Promise<Error | null> {
  const server = createServer();
  return await new Promise((done) => {
    server.once("error", done);
    server.listen({ host, port, exclusive: true }, () => server.close(() => done(null)));
  });
}

async function isTelex(host: string, port: number): Promise<boolean> {
  const name = host === "0.0.0.0" || host === "::" ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return (await answersAsTelex(`http://${name}:${port}`, 2000)) === true;
}
