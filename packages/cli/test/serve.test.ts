import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { request } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { text as readAll } from "node:stream/consumers";
import { openChannel } from "@telex/ws/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse, textAt } from "test-support/json";
import { finished, folder, serve, start, telex } from "test-support/command";
import { portOf } from "test-support/port";

const tokenOf = (printed: unknown): string => textAt(printed, "users", 0, "token");

describe("telex serve", () => {
  it("prints its address and answers there", async () => {
    const server = await serve(["--storage", "memory:"]);
    expect(server.printed).toEqual({ url: server.url, wsUrl: server.url.replace("http", "ws") });
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
  });

  it("logs one JSON line for each event, and no token", async () => {
    const cwd = await folder();
    const server = await serve(["--demo", "--server-id", "hall-1"], { cwd });
    const token = tokenOf(server.printed);
    await fetch(`${server.url}/external/api/v1/oauth2/userId?access_token=${token}`);
    await fetch(`${server.url}/external/api/v1/im/getMessage?access_token=${token}&groupId=x`);
    await fetch(`${server.url}/no/such/path?access_token=${token}`);
    expect(await server.stop()).toBe(0);
    const lines = server.log().trimEnd().split("\n");
    const events = lines.map((line) => textAt(parse(line), "event"));
    expect(new Set(lines.map((line) => textAt(parse(line), "server")))).toEqual(new Set(["hall-1"]));
    expect(events.filter((event) => event.startsWith("server."))).toEqual([
      "server.listening",
      "server.stopping",
      "server.stopped",
    ]);
    // Events of records that the demo created.
    const made = events.filter((event) => !event.startsWith("server."));
    expect([...new Set(made)]).toEqual(["user.added", "group.changed", "token.issued"]);
    expect(server.log()).not.toContain("tlxp_");
  });

  it("keeps the log pretty when it is told to", async () => {
    const child = start(["serve", "--port", "0", "--storage", "memory:", "--log", "pretty"]);
    const outcome = finished(child);
    await once(child.stdout, "data");
    child.kill("SIGTERM");
    const { code, stderr, stdout } = await outcome;
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Telex answers at http:\/\/127\.0\.0\.1:\d+\n$/);
    expect(stderr).toContain("server.listening");
    expect(stderr).not.toMatch(/^\{/m);
  });

  it("serves on where the reader of its log has gone, and stops in order", async () => {
    const cwd = await folder();
    const statement = `process.on("SIGHUP", () => { process.stderr.write("read by nobody\\n"); });`;
    await writeFile(join(cwd, "say.mjs"), statement);
    const server = await serve(["--storage", "memory:"], { node: ["--import", join(cwd, "say.mjs")] });
    const ended = once(server.process, "exit");
    server.process.stderr.destroy();
    server.process.kill("SIGHUP");
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    server.process.kill("SIGTERM");
    expect((await ended)[0]).toBe(0);
  });

  it("stops within five seconds of SIGTERM, and answers a poll that waits and a socket that is open", async () => {
    const server = await serve(["--storage", "memory:", "--demo", "--data", await folder()]);
    const token = tokenOf(server.printed);
    const headers = { authorization: `Bearer ${token}` };
    const teleprinter = `${server.url}/external/api/v1/teleprinter`;
    // Takes waiting texts first, so that the next poll waits.
    await fetch(`${teleprinter}/poll?deviceId=demo-printer`, { headers });
    const poll = fetch(`${teleprinter}/poll?deviceId=demo-printer&wait=60`, { headers });
    const rooms = await openChannel({ url: server.url, token, channel: "rooms" });
    const code = server.stop();
    const answer = await poll;
    expect({ status: answer.status, body: await answer.json() }).toEqual({
      status: 200,
      body: { code: 200, msg: "success", data: [] },
    });
    expect(await rooms.ended).toMatchObject({ code: 1001 });
    // A stop that takes longer ends with 1.
    expect(await code).toBe(0);
  });

  it("ends immediately at a second signal", async () => {
    const server = await serve(["--storage", "memory:", "--demo", "--data", await folder()]);
    // An endless upload delays the stop. The server sends "continue" when the upload has begun.
    const upload = request(`${server.url}/external/api/v1/bucket/upload`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${tokenOf(server.printed)}`,
        "content-type": "application/octet-stream",
        "content-length": 1000,
        expect: "100-continue",
      },
    });
    upload.on("error", () => undefined).flushHeaders();
    await once(upload, "continue");
    upload.write("a part");
    server.process.kill("SIGTERM");
    while (!server.log().includes("server.stopping")) await once(server.process.stderr, "data");
    const ended = once(server.process, "close");
    server.process.kill("SIGINT");
    expect((await ended)[0]).toBe(1);
  });

  it.each(["throw fault", "void Promise.reject(fault)"])(
    "logs a fault that nobody caught, stops in order and exits with 1 (%s)",
    async (statement) => {
      const cwd = await folder();
      const code = `const fault = new Error("broken: tlxp_0123456789abcdefghijABCDEFGHIJ012345")`;
      await writeFile(join(cwd, "fault.mjs"), `process.on("SIGHUP", () => { ${code}; ${statement}; });`);
      const server = await serve(["--storage", "memory:"], { node: ["--import", join(cwd, "fault.mjs")] });
      const ended = once(server.process, "close");
      server.process.kill("SIGHUP");
      expect((await ended)[0]).toBe(1);
      const events = server
        .log()
        .trimEnd()
        .split("\n")
        .map((line) => textAt(parse(line), "event"));
      const fault = expect.stringMatching(/^process\.un/) as unknown;
      expect(events).toEqual(["server.listening", "accounts.setup", fault, "server.stopped"]);
      expect(server.log()).toContain("broken: [redacted]");
      expect(server.log()).not.toContain("tlxp_");
    },
  );

  it("says what to do next while there are no users, in which language errors are, and how to change it", async () => {
    const cwd = await folder();
    const server = start(["serve", "--port", "0", "--data", "d", "--log", "pretty"], { cwd });
    let told = "";
    for await (const chunk of server.stderr) {
      told += String(chunk);
      if (told.includes("--locale en makes them English")) break;
    }
    const next = /telex (user add alice --issue-token --data d)$/m.exec(told)?.[1] ?? "";
    expect((await telex(next.split(" "), { cwd })).stdout).toContain("tlxp_");
  });

  it("warns of missing users in a log of JSON lines, and of none when there are some", async () => {
    const cwd = await folder();
    const first = await serve(["--locale", "en"], { cwd });
    expect(await first.stop()).toBe(0);
    const events = first.log().trimEnd().split("\n").map(parse);
    expect(events[0]).toMatchObject({ event: "server.listening", locale: "en" });
    expect(events[1]).toMatchObject({ event: "accounts.setup" });
    expect(events[2]).toMatchObject({ event: "server.no_users", next: "telex user add alice --issue-token" });
    await telex(["user", "add", "alice"], { cwd });
    const second = await serve([], { cwd });
    expect(await second.stop()).toBe(0);
    expect(second.log()).not.toContain("no_users");
  });

  it("answers failures in the language of --locale where the client names none", async () => {
    const msgOf = async (
      args: readonly string[],
      headers: Record<string, string>,
      path = "/nowhere",
    ): Promise<string> => {
      const { url } = await serve(["--storage", "memory:", ...args]);
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      // `fetch` always sends Accept-Language.
      request(`${url}${path}`, { headers }, (response) => {
        readAll(response).then(resolve, reject);
      }).end();
      return textAt(parse(await promise), "msg");
    };
    expect(await msgOf([], {})).toBe("The requested resource does not exist.");
    expect(await msgOf([], {}, "/external/api/v1/oauth2/userId")).toMatch(/[一-龥]/);
    expect(await msgOf(["--locale", "en"], {}, "/external/api/v1/oauth2/userId")).toMatch(/^[A-Z]/);
    expect(await msgOf(["--locale", "zh-CN"], {})).toBe("此处没有内容。");
    expect(await msgOf(["--locale", "en"], {})).toBe("The requested resource does not exist.");
    expect(await msgOf(["--locale", "en"], { "accept-language": "zh" })).toBe("此处没有内容。");
  });

  it("says what to do when the port is in use", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void taken.close());
    await once(taken, "listening");
    const args = ["serve", "--storage", "memory:", "--port", String(portOf(taken)), "--json"];
    const { code, stdout, stderr } = await telex(args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(JSON.parse(stderr)).toMatchObject({
      error: "address_in_use",
      msg: expect.stringContaining("--port") as unknown,
    });
  });

  it("is the only server on its database", async () => {
    const cwd = await folder();
    await serve([], { cwd });
    const { code, stderr } = await telex(["serve", "--port", "0", "--json"], { cwd });
    expect(code).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({ error: "storage_in_use" });
  });

  it("keeps what was stored for the next start", async () => {
    const cwd = await folder();
    const first = await serve([], { cwd });
    await telex(["user", "add", "alice"], { cwd });
    expect(await first.stop()).toBe(0);
    await serve([], { cwd });
    const { stdout } = await telex(["user", "list", "--json"], { cwd });
    expect(JSON.parse(stdout)).toMatchObject([{ id: 1, nickname: "alice" }]);
  });
});
