import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createMetrics } from "@telex/metrics";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { foreign } from "./support/cache.ts";
import { runToSuccess } from "./support/run.ts";
import { startServer } from "./support/server.ts";
import { freePort, portOf } from "test-support/port";

const deploy = (...names: string[]): string => join(dirname(dirname(foreign)), "deploy", ...names);

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "telex-prometheus-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A server with metrics on a separate port, after some calls. */
async function startMeasured() {
  const metrics = createMetrics();
  const server = await startServer({ plugins: [metrics.plugin] });
  onTestFinished(() => server.close());
  const scraped = createServer(metrics.handle).listen(0, "127.0.0.1");
  onTestFinished(() => scraped.close().closeAllConnections());
  await once(scraped, "listening");
  const headers = { authorization: `Bearer ${server.token}`, "content-type": "application/json" };
  const chat = { method: "POST", headers, body: JSON.stringify({ content: "hello", model: "echo" }) };
  await (await fetch(`${server.url}/external/api/v1/sseStream/chat`, chat)).text();
  await fetch(`${server.url}/external/api/v1/teleprinter/devices`, { headers });
  return { metrics, target: `127.0.0.1:${portOf(scraped)}` };
}

async function untilReady(url: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}/-/ready`).catch(() => null);
    if (response?.ok === true) return;
    await delay(50);
  }
}

/** Starts Prometheus with the alert rules of `deploy`, scraping this target every second. */
async function startPrometheus(target: string): Promise<string> {
  const folder = await temporaryFolder();
  const config = (await readFile(deploy("prometheus", "prometheus.yml"), "utf8"))
    .replace("127.0.0.1:9464", target)
    .replace("15s", "1s");
  expect(config).toContain(target);
  await writeFile(join(folder, "prometheus.yml"), config);
  await writeFile(join(folder, "telex-alerts.yml"), await readFile(deploy("prometheus", "telex-alerts.yml")));
  const port = await freePort();
  const args = [
    `--config.file=${join(folder, "prometheus.yml")}`,
    `--storage.tsdb.path=${join(folder, "data")}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ];
  const child = spawn("prometheus", args, { stdio: "ignore" });
  onTestFinished(async () => {
    child.kill();
    if (child.exitCode === null) await once(child, "exit");
  });
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url);
  return url;
}

const answer = z.object({
  data: z.object({
    result: z.array(z.object({ metric: z.record(z.string(), z.string()), value: z.array(z.unknown()) })),
  }),
});

/** The value of an expression as soon as Prometheus has one. */
async function query(url: string, expression: string) {
  for (;;) {
    const response = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(expression)}`);
    const parsed = answer.safeParse(await response.json());
    if (parsed.success && parsed.data.data.result.length > 0) return parsed.data.data.result;
    await delay(200);
  }
}

it("Prometheus reads a running server, and evaluates all rules and all panels", async () => {
  const { target } = await startMeasured();
  const url = await startPrometheus(target);
  const [calls] = await query(url, 'telex_calls_total{operation="ai.chat",outcome="ok"}');
  expect(calls?.value[1]).toBe("1");
  const [tokens] = await query(url, 'sum(telex_model_tokens_total{model="echo"})');
  expect(Number(tokens?.value[1])).toBeGreaterThan(0);

  const rules = await (await fetch(`${url}/api/v1/rules`)).text();
  expect(rules).not.toContain('"health":"err"');
  const dashboard: unknown = JSON.parse(await readFile(deploy("grafana", "telex.json"), "utf8"));
  const { panels } = z
    .object({ panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })) })) })
    .parse(dashboard);
  const text = await (await fetch(`http://${target}/metrics`)).text();
  const names = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
  for (const { expr } of panels.flatMap(({ targets }) => targets)) {
    const expression = expr.replaceAll("$job", "telex").replaceAll("$__rate_interval", "5m");
    const response = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(expression)}`);
    expect({ expr, status: response.status }).toEqual({ expr, status: 200 });
    for (const name of expr.match(/\b(telex|nodejs|process)_[a-z0-9_]+/g) ?? []) {
      expect(names).toContain(names.has(name) ? name : name.replace(/_(bucket|sum|count)$/, ""));
    }
  }
});

it("promtool finds nothing wrong with the metrics and the rules", async () => {
  const { metrics } = await startMeasured();
  const file = join(await temporaryFolder(), "metrics.txt");
  await writeFile(file, await metrics.text());
  await runToSuccess("sh", ["-c", 'promtool check metrics < "$0"', file]);
  const checked = await runToSuccess("promtool", ["check", "rules", deploy("prometheus", "telex-alerts.yml")]);
  expect(checked).toMatch(/SUCCESS: \d+ rules found/);
});
