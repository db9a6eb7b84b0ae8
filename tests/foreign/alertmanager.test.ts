import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { folder, lastJson, serve, telex, until } from "test-support/command";
import { at, listAt, parse, textAt } from "test-support/json";
import { freePort } from "test-support/port";
import { expect, it, onTestFinished } from "vitest";
import { foreign } from "./support/cache.ts";
import { runToSuccess } from "./support/run.ts";

/** A server with a room, and a hook of the room. `texts` reads what the hook has said so far. */
async function startHook() {
  const server = await serve(["--demo", "--storage", "memory:", "--data", await folder()]);
  const token = textAt(server.printed, "users", 0, "token");
  const to = ["--url", server.url, "--token", token, "--json"];
  const groupId = String(at(lastJson((await telex(["group", "create", "Operations", ...to])).stdout), "groupId"));
  const hook = await telex(["hook", "add", "Alerts", "--group", groupId, ...to]);
  const texts = async (): Promise<string[]> => {
    const path = `/external/api/v1/im/getMessage?groupId=${groupId}&groupType=1&pageSize=100&more=1`;
    const response = await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } });
    const page: unknown = await response.json();
    return listAt(at(page, "data"), "groupMessages")
      .filter((message) => at(message, "notice") === undefined)
      .map(
        (message) => `${textAt(message, "nickname")}: ${textAt(parse(textAt(message, "content")), 0, "text", "text")}`,
      )
      .toReversed();
  };
  return { url: textAt(lastJson(hook.stdout), "url"), texts };
}

/** Starts Alertmanager with the example of `deploy`, which sends to this address. */
async function startAlertmanager(hook: string): Promise<string> {
  const example = join(dirname(dirname(foreign)), "deploy", "prometheus", "alertmanager.yml");
  const config = (await readFile(example, "utf8"))
    .replace("http://127.0.0.1:3000/hooks/<secret>", hook)
    .replace("group_wait: 10s", "group_wait: 0s\n  group_interval: 1s");
  expect(config).toContain(hook);
  const data = await folder();
  await writeFile(join(data, "alertmanager.yml"), config);
  const port = await freePort();
  const args = [
    `--config.file=${join(data, "alertmanager.yml")}`,
    `--storage.path=${join(data, "data")}`,
    `--web.listen-address=127.0.0.1:${port}`,
    "--cluster.listen-address=",
  ];
  const child = spawn("prometheus-alertmanager", args, { stdio: "ignore" });
  onTestFinished(async () => {
    child.kill();
    if (child.exitCode === null) await once(child, "exit");
  });
  const url = `http://127.0.0.1:${port}`;
  await until(async () => (await fetch(`${url}/-/ready`).catch(() => null))?.ok === true);
  return url;
}

it("Alertmanager writes into a room what fires, and what is resolved", async () => {
  const { url, texts } = await startHook();
  const alertmanager = await startAlertmanager(url);
  const alert = {
    labels: { alertname: "TelexDown", job: "telex", severity: "critical" },
    annotations: { summary: "The server <web> & its room" },
  };
  const post = async (fields: object): Promise<void> => {
    const body = JSON.stringify([{ ...alert, ...fields }]);
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${alertmanager}/api/v2/alerts`, { method: "POST", headers, body });
    expect(response.status).toBe(200);
  };
  await post({});
  while ((await texts()).length === 0) await delay(50);
  await post({ endsAt: new Date().toISOString() });
  while ((await texts()).length === 1) await delay(50);
  expect(await runToSuccess("curl", ["-sS", "-d", "The disk is full.", url])).toBe("ok");
  expect(await texts()).toEqual([
    expect.stringMatching(/^Alertmanager · Alerts: \[FIRING:1\] TelexDown .*\(http/),
    expect.stringMatching(/^Alertmanager · Alerts: \[RESOLVED\] TelexDown .*\(http/),
    "Alerts: The disk is full.",
  ]);
});
