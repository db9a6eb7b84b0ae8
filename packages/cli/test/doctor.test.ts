import { once } from "node:events";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { createServer as createProxy, request as askServer } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { createSqliteStorage } from "@telex/storage-sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { at, listAt, parse } from "test-support/json";
import { folder, serve, telex } from "test-support/command";
import { portOf } from "test-support/port";
import { telexHere } from "./in-process.ts";

/** The findings of `telex doctor --json`, by name. */
async function examine(
  args: readonly string[],
  cwd: string,
): Promise<{ code: number | null; found: Map<unknown, unknown> }> {
  const { code, stdout } = await telexHere(["doctor", "--json", ...args], { cwd });
  const checks = listAt(parse(stdout), "checks");
  return { code, found: new Map(checks.map((check) => [at(check, "name"), at(check, "status")])) };
}

/** The finding of one check of `telex doctor --json`. */
async function checkOf(
  name: string,
  { args, cwd, env = {} }: { args: readonly string[]; cwd: string; env?: Readonly<Record<string, string>> },
): Promise<{ status: unknown; detail: string }> {
  const { stdout } = await telexHere(["doctor", "--json", "--port", "0", ...args], { cwd, env });
  const check = listAt(parse(stdout), "checks").find((one) => at(one, "name") === name);
  return { status: at(check, "status"), detail: String(at(check, "detail")) };
}

describe("telex doctor", () => {
  it("finds a folder fit in which nothing is yet, and makes nothing there", async () => {
    const cwd = await folder();
    const { code, found } = await examine(["--port", "0"], cwd);
    expect(code).toBe(0);
    expect([...found.keys()]).toEqual([
      "node",
      "data",
      "space",
      "storage",
      "files",
      "bus",
      "mqtt",
      "sharp",
      "port",
      "bots",
      "tools",
      "rooms",
      "proxy",
      "clock",
      "timezone",
      "rights",
      "exposure",
      "accounts",
      "limits",
    ]);
    expect([...found.values()]).not.toContain("fail");
    expect((await examine(["--port", "0"], cwd)).code).toBe(0);
  });

  it("finds a running server on its port and its database", async () => {
    const cwd = await folder();
    const server = await serve([], { cwd });
    const { stdout } = await telex(["doctor", "--port", new URL(server.url).port], { cwd });
    expect(stdout).toContain("is in use by a running Telex server");
    expect(stdout).toContain("opens, can be written, and is not damaged");
  });

  it("recognizes a proxy that does not pass WebSockets on", async () => {
    const cwd = await folder();
    const server = await serve([], { cwd });
    const port = Number(new URL(server.url).port);
    const proxy = createProxy((request, response) => {
      const { url: path, method } = request;
      const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => name !== "upgrade"));
      const passed = askServer({ port, path, method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      request.pipe(passed);
    }).listen(0, "127.0.0.1");
    onTestFinished(() => proxy.close().closeAllConnections());
    await once(proxy, "listening");
    const asked = ["--port", "0", "--base-url", `http://127.0.0.1:${portOf(proxy)}`];
    expect((await examine(asked, cwd)).found.get("proxy")).toBe("fail");

    proxy.on("upgrade", ({ url: path, headers }, client: Duplex) => {
      const passed = askServer({ port, path, headers }).end();
      passed.on("upgrade", (answer, socket: Duplex) => {
        const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${String(value)}`);
        // The server resets its connections when the test ends.
        socket.on("error", () => client.destroy());
        client.on("error", () => socket.destroy());
        client.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join("\r\n")}\r\n\r\n`);
        socket.pipe(client).pipe(socket);
      });
    });
    expect((await examine(asked, cwd)).found.get("proxy")).toBe("ok");
  });

  it("warns if nothing answers at the address that clients use, and fails if it is not Telex", async () => {
    const cwd = await folder();
    const other = createProxy((_request, response) => void response.end("{}")).listen(0, "127.0.0.1");
    onTestFinished(() => other.close().closeAllConnections());
    await once(other, "listening");
    const address = `http://127.0.0.1:${portOf(other)}`;
    expect((await examine(["--port", "0", "--base-url", address], cwd)).found.get("proxy")).toBe("fail");
    expect((await examine(["--port", "0", "--base-url", "http://127.0.0.1:1"], cwd)).found.get("proxy")).toBe("warn");
  });

  it("fails where another program has the port", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void taken.close());
    await once(taken, "listening");
    const { code, found } = await examine(["--port", String(portOf(taken))], await folder());
    expect({ code, port: found.get("port") }).toEqual({ code: 1, port: "fail" });
  });

  it("fails on a file that is not a database of Telex", async () => {
    const cwd = await folder();
    await writeFile(join(cwd, "x.db"), "no database ".repeat(1000));
    const { code, found } = await examine(["--port", "0", "--storage", "sqlite:x.db"], cwd);
    expect({ code, storage: found.get("storage") }).toEqual({ code: 1, storage: "fail" });
  });

  it("fails on a folder that cannot be one", async () => {
    const cwd = await folder();
    await writeFile(join(cwd, "notes.txt"), "");
    const { code, found } = await examine(["--port", "0", "--data", "notes.txt/data"], cwd);
    expect({ code, data: found.get("data") }).toEqual({ code: 1, data: "fail" });
  });

  it("names what is unsafe, and what to do about it", async () => {
    const cwd = await folder();
    const unsafe = ["--host", "0.0.0.0", "--rate-limits", "off", "--file-floor", "0"];
    const clean = await examine(["--port", "0"], cwd);
    const names = ["rights", "exposure", "accounts", "limits"];
    expect(names.map((name) => clean.found.get(name))).toEqual(["ok", "ok", "ok", "ok"]);

    await telexHere(["user", "add", "alice", "--ext", "demo-alice"], { cwd });
    await telexHere(["token", "issue", "--user", "1", "--scope", "chat", "--expires", "never"], { cwd });
    await mkdir(join(cwd, "telex-data", "blobs"), { recursive: true });
    await chmod(join(cwd, "telex-data", "telex.db"), 0o644);
    const { code, found } = await examine(["--port", "0", ...unsafe], cwd);
    expect({ code, found: names.map((name) => found.get(name)) }).toEqual({
      code: 0,
      found: ["warn", "warn", "warn", "warn"],
    });
    const { stdout } = await telex(["doctor", "--port", "0", ...unsafe], { cwd });
    for (const named of [
      "telex.db",
      "chmod go-rwx",
      "--demo",
      "tokens that never expire: 1",
      "rateLimits",
      "fileFloor",
    ]) {
      expect(stdout).toContain(named);
    }
    const proxied = ["--base-url", "https://telex.example", "--trust-proxy", "on"];
    expect((await examine(["--port", "0", ...unsafe, ...proxied], cwd)).found.get("exposure")).toBe("ok");
  });

  it("warns of a storage that ends with the process", async () => {
    const { code, found } = await examine(["--port", "0", "--storage", "memory:"], await folder());
    expect({ code, storage: found.get("storage") }).toEqual({ code: 0, storage: "warn" });
  });

  it("names rooms that get no messages because another one stands for their group", async () => {
    const cwd = await folder();
    await telexHere(["bot", "add", "10001", "--official"], { cwd });
    const rooms = async () => await checkOf("rooms", { args: [], cwd });
    const add = (...args: string[]) => telexHere(["group", "add", "--name", "Room", "--ext", "500", ...args], { cwd });
    await add("--type", "4", "--bot", "10001");
    const { code, stderr } = await add("--type", "0");
    expect({ code, isNamed: stderr.includes("The chat room 1") }).toEqual({ code: 1, isNamed: true });
    await add("--type", "4", "--bot", "10002");
    expect(await rooms()).toMatchObject({ status: "ok" });
    // Earlier versions allowed this room.
    const storage = await createSqliteStorage({ file: join(cwd, "telex-data", "telex.db") });
    const room = { groupType: 0, name: "Room", ext: "500", bot: null, avatar: null, createdAt: 1 } as const;
    await storage.groups.appendGroup(room, []);
    await storage.close();
    expect(await rooms()).toEqual({
      status: "warn",
      detail: "rooms that get no messages of their network: 3 (1 gets them)",
    });
  });

  it("warns of settings with a secret that other users can read, whichever it is", async () => {
    const bus = ["nats://me:word@127.0.0.1:1"];
    const storage = "mongodb://me:word@127.0.0.1:1/telex?serverSelectionTimeoutMS=100";
    for (const settings of [{ blobsSecretKey: "key" }, { backupSecretKey: "key" }, { storage }, { bus }]) {
      const cwd = await folder();
      await writeFile(join(cwd, "telex.config.json"), JSON.stringify(settings));
      await chmod(join(cwd, "telex.config.json"), 0o600);
      const args = ["--config", "telex.config.json"];
      const look = async () => (await checkOf("rights", { args, cwd })).status;
      expect([settings, await look()]).toEqual([settings, "ok"]);
      await chmod(join(cwd, "telex.config.json"), 0o644);
      expect([settings, await look()]).toEqual([settings, "warn"]);
    }
  });

  it("says which key a bucket does not accept, and what it needs", async () => {
    const key = "right-key";
    const bucket = createProxy((request, response) => {
      const isRight = request.headers.authorization?.includes(`Credential=${key}/`) === true;
      request.resume().once("end", () => {
        response.writeHead(isRight ? 200 : 403, { "content-type": "application/xml", etag: '"x"' });
        response.end(isRight ? "" : "<Error><Code>InvalidAccessKeyId</Code></Error>");
      });
    }).listen(0, "127.0.0.1");
    onTestFinished(() => bucket.close().closeAllConnections());
    await once(bucket, "listening");
    const args = ["--blobs", `s3:http://127.0.0.1:${portOf(bucket)}/files`];
    const cwd = await folder();
    const files = (env: Readonly<Record<string, string>>) => checkOf("files", { args, cwd, env });
    const keys = (id: string) => ({ TELEX_BLOBS_ACCESS_KEY: id, TELEX_BLOBS_SECRET_KEY: "hidden-0123" });
    expect(await files(keys(key))).toMatchObject({ status: "ok" });
    const wrong = await files(keys("other"));
    expect(wrong.status).toBe("fail");
    expect(wrong.detail).toContain("InvalidAccessKeyId");
    expect(wrong.detail).not.toContain("hidden-0123");
    const missing = await files({});
    expect(missing.status).toBe("fail");
    expect(missing.detail).toContain("TELEX_BLOBS_SECRET_KEY");
  });

  it("says that NATS does not accept this server, without the password", async () => {
    const info = 'INFO {"server_id":"a","version":"2.12.0","proto":1,"max_payload":1048576,"auth_required":true}\r\n';
    const nats = createServer((socket) => {
      socket.on("error", () => undefined).write(info);
      socket.once("data", () => socket.end("-ERR 'Authorization Violation'\r\n"));
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void nats.close());
    await once(nats, "listening");
    const storage = ["--storage", "mongodb://127.0.0.1:1/telex?serverSelectionTimeoutMS=100"];
    const bus = async (address: string) =>
      await checkOf("bus", { args: [...storage, "--bus", address], cwd: await folder() });
    const refused = await bus(`nats://me:hidden-0123@127.0.0.1:${portOf(nats)}`);
    expect(refused.status).toBe("fail");
    expect(refused.detail).not.toContain("hidden-0123");
    const missing = await bus("nats://me:hidden-0123@127.0.0.1:1");
    expect(missing.status).toBe("fail");
    expect(missing.detail).toContain("nats://me:********@127.0.0.1:1 does not answer");
  });
});
