import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { at, listAt, parse, textAt } from "test-support/json";
import { finished, folder, forAllTests, lastJson, serve, start, until } from "test-support/command";
import { portOf } from "test-support/port";
import { telexHere } from "./in-process.ts";

interface Server {
  readonly url: string;
  readonly token: string;
}

const prefix = "/external/api/v1/teleprinter";

async function startDemo(): Promise<Server> {
  const server = await serve(["--demo", "--storage", "memory:", "--rate-limits", "off", "--data", await folder()]);
  return { url: server.url, token: textAt(server.printed, "users", 0, "token") };
}

const simulate = ({ url, token }: Server, ...args: string[]) =>
  start(["device", "simulate", "--url", url, "--token", token, "--json", ...args]);

async function post({ url, token }: Server, name: string, body: Readonly<Record<string, unknown>>): Promise<void> {
  const response = await fetch(`${url}${prefix}/${name}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect({ name, status: response.status, body: await response.text() }).toMatchObject({ status: 200 });
}

async function onlineDevices({ url, token }: Server): Promise<string[]> {
  const response = await fetch(`${url}${prefix}/devices`, { headers: { authorization: `Bearer ${token}` } });
  const devices = listAt(await response.json(), "data");
  return devices.flatMap((device) => (at(device, "online") === true ? [textAt(device, "deviceId")] : []));
}

async function messagesOf({ url, token }: Server, deviceId: string): Promise<readonly unknown[]> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}${prefix}/messages?deviceId=${deviceId}&pageSize=100`, { headers });
  return listAt(await response.json(), "data", "messages");
}

const receivedAll = async (server: Server, deviceId: string, texts: number): Promise<boolean> =>
  (await messagesOf(server, deviceId)).filter((message) => at(message, "direction") === "from_device").length >= texts;

type Answer = (path: string, init: RequestInit) => Promise<unknown>;

/** A proxy between devices and the server that answers in the server's place. Returns its address. */
async function between({ token }: Server, answer: Answer): Promise<string> {
  const server = createServer((request, response) => {
    const forward = async (): Promise<void> => {
      const body = await text(request);
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const init = request.method === "POST" ? { method: "POST", headers, body } : { headers };
      const replied = await answer(request.url ?? "", init);
      response.statusCode = Number(at(replied, "code"));
      response.end(JSON.stringify(replied));
    };
    forward().catch(() => response.destroy());
  }).listen(0, "127.0.0.1");
  onTestFinished(() => server.closeAllConnections());
  await once(server, "listening");
  return `http://127.0.0.1:${portOf(server)}`;
}

describe("telex device simulate", () => {
  const demoServer = forAllTests(startDemo);

  it.each(["poll", "ws"])("registers, receives, echoes, says goodbye, and reports, by %s", async (mode) => {
    const server = demoServer();
    const deviceId = `kitchen-${mode}`;
    const child = simulate(server, "--id", deviceId, "--echo", "--mode", mode);
    const outcome = finished(child);
    await until(async () => (await onlineDevices(server)).includes(deviceId));
    for (const content of ["one", "二", "three\nlines\n"]) await post(server, "send", { deviceId, content });
    await until(async () => await receivedAll(server, deviceId, 3));
    child.kill("SIGINT");
    const { code, stdout } = await outcome;
    const printed = stdout.trimEnd().split("\n").map(parse);
    expect(printed.slice(0, -1).map((line) => at(line, "content"))).toEqual(["one", "二", "three\nlines\n"]);
    expect(printed.at(-1)).toEqual({
      devices: 1,
      sent: 3,
      received: 3,
      duplicates: 0,
      lost: 0,
      latencyMs: { p50: expect.any(Number) as unknown, p99: expect.any(Number) as unknown },
    });
    expect(code).toBe(0);
    expect(await onlineDevices(server)).not.toContain(deviceId);
  });

  it.each(["poll", "ws"])(
    "sends the lines that are typed, and goes on after one that is refused, by %s",
    async (mode) => {
      const server = demoServer();
      const deviceId = `typed-${mode}`;
      const child = simulate(server, "--id", deviceId, "--mode", mode);
      const outcome = finished(child);
      await until(async () => (await onlineDevices(server)).includes(deviceId));
      child.stdin.write(`one\n\n${"x".repeat(2001)}\n`);
      child.stdin.end("二");
      await until(async () => await receivedAll(server, deviceId, 2));
      expect(await onlineDevices(server)).toContain(deviceId);
      child.kill("SIGTERM");
      const { code, stdout, stderr } = await outcome;
      const contents = (await messagesOf(server, deviceId)).map((message) => at(message, "content"));
      expect(contents).toEqual(["二", "one"]);
      expect(lastJson(stdout)).toMatchObject({ sent: 2, duplicates: 0, lost: 0 });
      expect(parse(stderr)).toEqual({ warning: expect.any(String) as unknown });
      expect(code).toBe(1);
    },
  );

  it("keeps the name of a device that exists, unless another one is given", async () => {
    const server = demoServer();
    await post(server, "register", { deviceId: "hall", name: "Hall 大厅" });
    const nameOf = async (id: string): Promise<unknown> => {
      const headers = { authorization: `Bearer ${server.token}` };
      const answer: unknown = await (await fetch(`${server.url}${prefix}/devices`, { headers })).json();
      return at(
        listAt(answer, "data").find((device) => at(device, "deviceId") === id),
        "name",
      );
    };
    await post(server, "register", { deviceId: "cellar", name: "Cellar" });
    const runs = [
      simulate(server, "--id", "hall", "--duration", "1"),
      simulate(server, "--id", "cellar", "--duration", "1", "--name", "Lobby"),
      simulate(server, "--id", "fresh", "--duration", "1"),
    ];
    await Promise.all(runs.map(finished));
    expect(await Promise.all(["hall", "cellar", "fresh"].map(nameOf))).toEqual([
      "Hall 大厅",
      "Lobby",
      "Simulated device",
    ]);
  });

  it("prints the texts for a person", async () => {
    const server = demoServer();
    const args = ["device", "simulate", "--url", server.url, "--token", server.token, "--id", "demo-printer"];
    const { code, stdout, stderr } = await telexHere([...args, "--duration", "1"]);
    expect(code).toBe(0);
    expect(stdout).toContain("你好! This text waited for you.\n");
    expect(stdout).toMatch(/received +1\n/);
    expect(stderr).toContain("demo-printer is online");
  });

  it.each(["poll", "ws"])("loses and doubles nothing on a bad network, with wrong clocks, by %s", async (mode) => {
    const server = demoServer();
    const faults = ["--mode", mode, "--faults", "drop,dup,slow,skew", "--seed", "7"];
    const fleet = [1, 2, 3].map((number) => `fleet-${mode}-${number}`);
    const child = simulate(server, "--id", `fleet-${mode}`, "--count", "3", "--echo", ...faults);
    const outcome = finished(child);
    await until(async () => (await onlineDevices(server)).filter((id) => fleet.includes(id)).length === 3);
    for (let round = 0; round < 4; round += 1) {
      for (const deviceId of fleet) await post(server, "send", { deviceId, content: `${round}` });
    }
    for (const id of fleet) await until(async () => await receivedAll(server, id, 4));
    child.kill("SIGTERM");
    const { code, stdout } = await outcome;
    expect(lastJson(stdout)).toMatchObject({ devices: 3, sent: 12, received: 12, duplicates: 0, lost: 0 });
    expect(code).toBe(0);
  });

  it("exits with 1 when something counts as delivered that the device never got", async () => {
    const server = demoServer();
    // A thief between the device and the server polls in its place, and keeps the texts.
    const thief = await between(server, async (path, init) => {
      const answer = await fetch(`${server.url}${path.replace(/&ack=\d+/, "")}`, init);
      const body: unknown = await answer.json();
      return path.includes("/poll") ? { code: 200, msg: "success", data: [] } : body;
    });
    const child = simulate({ ...server, url: thief }, "--id", "robbed");
    const outcome = finished(child);
    await until(async () => (await onlineDevices(server)).includes("robbed"));
    await post(server, "send", { deviceId: "robbed", content: "for the device" });
    await until(async () => (await messagesOf(server, "robbed")).some((message) => at(message, "delivered") === 1));
    child.kill("SIGTERM");
    const { code, stdout } = await outcome;
    expect(lastJson(stdout)).toMatchObject({ received: 0, lost: 1, duplicates: 0 });
    expect(code).toBe(1);
  });

  it("exits with 1 when something that the device sent once is stored twice", async () => {
    const server = demoServer();
    const doubling = await between(server, async (path, init) => {
      const forward = async (): Promise<unknown> => await (await fetch(`${server.url}${path}`, init)).json();
      if (path.endsWith("/sync")) await post(server, "sync", { deviceId: "twin", content: "once" });
      return await forward();
    });
    const child = simulate({ ...server, url: doubling }, "--id", "twin", "--echo");
    const outcome = finished(child);
    await until(async () => (await onlineDevices(server)).includes("twin"));
    await post(server, "send", { deviceId: "twin", content: "once" });
    await until(async () => await receivedAll(server, "twin", 2));
    child.kill("SIGTERM");
    const { code, stdout } = await outcome;
    expect(lastJson(stdout)).toMatchObject({ sent: 1, received: 1, lost: 0, duplicates: 1 });
    expect(code).toBe(1);
  });

  it("gives up with the server's sentence when it is refused", async () => {
    const server = demoServer();
    const outcome = await finished(simulate({ ...server, token: "tlxp_wrong" }, "--id", "x"));
    expect({ code: outcome.code, stdout: outcome.stdout }).toEqual({ code: 1, stdout: "" });
    expect(JSON.parse(outcome.stderr)).toMatchObject({ error: "invalid_token" });
    expect(outcome.stderr).not.toContain("tlxp_wrong");
    const misnamed = await finished(simulate(server, "--id", "not a device"));
    expect(JSON.parse(misnamed.stderr)).toMatchObject({ error: "invalid_request" });
  });

  it("says so when no Telex answers there", async () => {
    const stranger = createServer((_request, response) => response.end("hello")).listen(0, "127.0.0.1");
    onTestFinished(() => void stranger.close());
    await once(stranger, "listening");
    const url = `http://127.0.0.1:${portOf(stranger)}`;
    const { code, stderr } = await finished(simulate({ url, token: "t" }));
    expect(code).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({ error: "no_telex" });
  });

  it("needs a token, and takes it from the environment too", async () => {
    const missing = await telexHere(["device", "simulate", "--json"]);
    expect(missing.code).toBe(2);
    expect(JSON.parse(missing.stderr)).toMatchObject({
      error: "usage",
      msg: expect.stringContaining("TELEX_TOKEN") as unknown,
    });
    const server = demoServer();
    const env = { TELEX_TOKEN: server.token, TELEX_URL: server.url };
    const { code } = await telexHere(["device", "simulate", "--duration", "1", "--json"], { env });
    expect(code).toBe(0);
  });

  it("takes its token from a file, which counts as much as the place that names it", async () => {
    const server = demoServer();
    const file = join(await folder(), "token");
    await writeFile(file, `${server.token}\n`);
    const command = ["device", "send", "from a file", "--id", "demo-printer", "--url", server.url, "--json"];
    expect((await telexHere([...command, "--token-file", file])).code).toBe(0);
    expect((await telexHere([...command, "--token-file", file], { env: { TELEX_TOKEN: "wrong" } })).code).toBe(0);
    expect((await telexHere([...command, "--token-file", file, "--token", "wrong"])).code).toBe(1);
    expect((await telexHere(command, { env: { TELEX_TOKEN_FILE: file } })).code).toBe(0);
    await writeFile(file, "\n");
    expect(await telexHere([...command, "--token-file", file])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("is empty") as unknown,
    });
    expect(await telexHere([...command, "--token-file", `${file}.no`])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("ENOENT") as unknown,
    });
  });

  it.each(["--count=0", "--count=x", "--duration=0", "--faults=rain", "--seed=-1", "--mode=carrier-pigeon"])(
    "refuses %s as wrong usage",
    async (flag) => {
      expect((await telexHere(["device", "simulate", "--token", "t", flag])).code).toBe(2);
    },
  );
});
