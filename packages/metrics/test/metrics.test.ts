import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { createScene } from "@telex/conformance/testing";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createHttp, serve } from "@telex/http";
import { createSqliteStorage } from "@telex/storage-sqlite";
import { createWs } from "@telex/ws";
import { openChannel } from "@telex/ws/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { createMetrics } from "../src/index.ts";

/** A server with metrics and an SQLite storage. */
async function start() {
  const folder = await mkdtemp(join(tmpdir(), "telex-metrics-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const metrics = createMetrics();
  const storage = await createSqliteStorage({ file: join(folder, "telex.db") });
  const images = createSharpEngine();
  const scene = await createScene({ storage, blobs: createMemoryBlobs(), images, plugins: [metrics.plugin] });
  const { telex } = scene;
  const serving = await serve({ telex, http: createHttp(telex), ws: createWs(telex, { others: "refuse" }), port: 0 });
  onTestFinished(() => serving.close(0));
  /** The samples whose line begins with this, without the buckets of histograms. */
  const samples = async (begin: string): Promise<string[]> =>
    (await metrics.text()).split("\n").filter((line) => line.startsWith(begin) && !line.includes("_bucket"));
  return { ...scene, metrics, url: serving.url, samples };
}

const prefix = "/external/api/v1";

describe("metrics", () => {
  it("count calls by operation and outcome, and responses by route and status", async () => {
    const { url, person, samples } = await start();
    const { token } = await person("Alice");
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const post = (path: string, body: object) =>
      fetch(`${url}${prefix}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    await post("/teleprinter/register", { deviceId: "printer", name: "P" });
    await post("/teleprinter/heartbeat", { deviceId: "printer", name: "P" });
    await post("/teleprinter/heartbeat", { deviceId: "another" });
    expect(await samples('telex_calls_total{operation="teleprinter.')).toEqual([
      'telex_calls_total{operation="teleprinter.register",outcome="ok"} 1',
      'telex_calls_total{operation="teleprinter.heartbeat",outcome="ok"} 1',
      'telex_calls_total{operation="teleprinter.heartbeat",outcome="device_not_found"} 1',
    ]);
    expect(await samples('telex_call_duration_seconds_count{operation="teleprinter.heartbeat"}')).toEqual([
      'telex_call_duration_seconds_count{operation="teleprinter.heartbeat"} 2',
    ]);
    expect(await samples('telex_http_responses_total{method="POST",route="/external/api/v1/teleprinter/h')).toEqual([
      `telex_http_responses_total{method="POST",route="${prefix}/teleprinter/heartbeat",status="200"} 1`,
      `telex_http_responses_total{method="POST",route="${prefix}/teleprinter/heartbeat",status="404"} 1`,
    ]);
  });

  it("have no label from the input of a caller", async () => {
    const { url, person, metrics } = await start();
    const { token } = await person("Alice");
    const headers = { authorization: `Bearer ${token}` };
    await fetch(`${url}/zebra/${token}`, { headers });
    await fetch(`${url}${prefix}/im/groups/471147114711?zebra=1`, { headers });
    await fetch(`${url}${prefix}/im/groups`, { method: "ZEBRA", headers });
    await fetch(`${url}${prefix}/sseStream/chat`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ content: "zebra", model: "zebra" }),
    });
    const text = await metrics.text();
    expect(text).toContain('status="404"');
    expect(text).not.toMatch(/zebra|471147114711/i);
    expect(text).not.toContain(token);
  });

  it("show sockets by channel, deliveries, fan-out, commits, and stored records", async () => {
    const { url, person, room, telex, caller, samples } = await start();
    const [alice, bob] = [await person("Alice"), await person("Bob")];
    const groupId = await room([alice, bob]);
    const arrived = Promise.withResolvers<unknown>();
    const socket = await openChannel({ channel: "rooms", url, token: bob.token, onEvent: arrived.resolve });
    onTestFinished(() => socket.close());
    await socket.ping();
    await telex.messages.send(await caller(alice), { groupId, groupType: 1, message: "hello" });
    await arrived.promise;
    expect(await samples("telex_sockets")).toEqual(['telex_sockets{channel="rooms"} 1']);
    expect(await samples("telex_delivered")).toEqual([
      'telex_delivered_events_total{to="rooms"} 1',
      'telex_delivered_events_total{to="devices"} 0',
    ]);
    expect(await samples("telex_fan_out_receivers_")).toEqual([
      "telex_fan_out_receivers_sum 1",
      "telex_fan_out_receivers_count 1",
    ]);
    const [writes = ""] = await samples("telex_commit_writes_sum");
    expect(Number(writes.split(" ")[1])).toBeGreaterThan(4);
    expect(await samples("telex_stored_records")).toContain('telex_stored_records{kind="users"} 2');
  });

  it("of two instances are apart", async () => {
    const [first, second] = [await start(), await start()];
    await first.person("Alice");
    expect(await first.samples('telex_calls_total{operation="operator.users.add"')).toHaveLength(1);
    expect(await second.samples('telex_calls_total{operation="operator.users.add"')).toEqual([]);
  });

  it("are read at /metrics, and nothing else is there", async () => {
    const { metrics } = await start();
    const server = createServer(metrics.handle).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a listening TCP server has such an address
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const read = await fetch(`${url}/metrics?x=1`);
    expect([read.status, read.headers.get("content-type")]).toEqual([200, metrics.contentType]);
    expect(await read.text()).toContain("nodejs_eventloop_lag_p99_seconds");
    expect((await fetch(`${url}/metrics`, { method: "HEAD" })).status).toBe(200);
    expect((await fetch(`${url}/metrics`, { method: "POST" })).status).toBe(405);
    expect((await fetch(`${url}/`)).status).toBe(404);
  });
});
