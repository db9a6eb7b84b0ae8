import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { text as readAll } from "node:stream/consumers";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { at, listAt, parse, textAt } from "test-support/json";
import { finished, folder, forAllTests, serve, start, until } from "test-support/command";
import { portOf } from "test-support/port";
import { runDevice } from "../src/devices/run/run.ts";
import { createTalk } from "../src/terminal/talk.ts";
import { telexHere } from "./in-process.ts";

describe("a program that is a device", () => {
  const prepare = forAllTests(async () => {
    const server = await serve(["--demo", "--storage", "memory:", "--rate-limits", "off", "--data", await folder()]);
    return { url: server.url, token: textAt(server.printed, "users", 0, "token") };
  });

  async function ask(path: string, body?: object): Promise<unknown> {
    const { url, token } = prepare();
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
    const answer: unknown = await (await fetch(`${url}/external/api/v1/teleprinter/${path}`, init)).json();
    return at(answer, "data");
  }

  /** The texts of a device, oldest first: `>` to the device, `<` from it, `!` given up, `.` waiting. */
  const textsOf = async (deviceId: string): Promise<string[]> =>
    listAt(await ask(`messages?deviceId=${deviceId}&pageSize=100`), "messages")
      .map((text) => {
        const waits = at(text, "state") === "failed" ? "!" : ".";
        const way = at(text, "direction") === "from_device" ? "<" : at(text, "delivered") === 1 ? ">" : waits;
        return `${way}${textAt(text, "content")}`;
      })
      .toReversed();

  async function send(deviceId: string, ...contents: readonly string[]): Promise<void> {
    for (const content of contents) await ask("send", { deviceId, content });
  }

  function device(verb: string, args: readonly string[], cwd?: string) {
    const { url, token } = prepare();
    const env = { TELEX_URL: url, TELEX_TOKEN: token };
    return start(["device", verb, ...args], cwd === undefined ? { env } : { env, cwd });
  }

  it("runs a command for each text in order, again after a failure, and gives a text up after its attempts", async () => {
    const cwd = await folder();
    await ask("register", { deviceId: "lp", name: "Printer" });
    await send("lp", "one", "bad", "three");
    const command = `read -r line || :; echo "$line" >>log; test "$line" != bad && { test -e once || ! touch once; }`;
    const runner = device("run", ["--id", "lp", "--attempts", "2", "--exec", command], cwd);
    const outcome = finished(runner);
    await until(async () => at(await ask("heartbeat", { deviceId: "lp" }), "fault", "reason") !== undefined);
    await until(async () => (await textsOf("lp")).every((text) => !text.startsWith(".")));
    expect(await ask("heartbeat", { deviceId: "lp" })).toMatchObject({ transport: "ws", can: ["text"] });
    expect(await ask("heartbeat", { deviceId: "lp" })).not.toHaveProperty("fault");
    runner.kill("SIGTERM");
    const { code, stderr } = await outcome;
    expect(await readFile(join(cwd, "log"), "utf8")).toBe("one\none\nbad\nbad\nthree\n");
    expect(code).toBe(0);
    expect(stderr).toContain("is given up: the program ended with 1");
    expect(await textsOf("lp")).toEqual([">one", "!bad", ">three"]);
  });

  /** Runs a command that fails until its only text is given up. Returns the seconds of the pauses, during which the clock of this process advances. */
  async function pausesOf(deviceId: string): Promise<number[]> {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const pauses: number[] = [];
    const stop = new AbortController();
    const talk = createTalk({ quiet: true });
    const receiving = { server: prepare(), deviceId, name: null, can: [], talk };
    const pause = (milliseconds: number): Promise<void> => {
      pauses.push(milliseconds / 1000);
      vi.setSystemTime(Date.now() + milliseconds);
      return Promise.resolve();
    };
    const run = { receiving, command: "exit 1", timeout: 30, attempts: 10, reply: false, pause };
    const ended = runDevice(run, stop.signal);
    await until(async () => (await textsOf(deviceId)).join() === "!one");
    stop.abort();
    await ended;
    return pauses;
  }

  it("pauses for 1, 2, 4 … 60 s after a failure, and gives a text up after its attempts", async () => {
    await ask("register", { deviceId: "patient", name: "Patient" });
    await send("patient", "one");
    expect(await pausesOf("patient")).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it("does not run again for a text that expires in a pause", async () => {
    await ask("register", { deviceId: "brief", name: "Brief" });
    await ask("send", { deviceId: "brief", content: "one", life: 60 });
    expect(await pausesOf("brief")).toEqual([1, 2, 4, 8, 16, 32]);
  });

  it("sends a reply that the server has from an earlier run once", async () => {
    await ask("register", { deviceId: "echo", name: "Echo" });
    const id = at(await ask("send", { deviceId: "echo", content: "tea?" }), "id");
    await ask("sync", { deviceId: "echo", content: "tea?", nonce: `reply-${String(id)}-0` });
    const runner = device("run", ["echo", "--reply", "--exec", "cat"]);
    const outcome = finished(runner);
    await until(async () => (await textsOf("echo")).includes(">tea?"));
    runner.kill("SIGTERM");
    await outcome;
    expect(await textsOf("echo")).toEqual([">tea?", "<tea?"]);
  });

  it("sends what the command prints as texts of the device", async () => {
    const runner = device("run", ["printer-2", "--reply", "--exec", "cat; head -c 2100 /dev/zero | tr '\\0' x"]);
    const outcome = finished(runner);
    await until(async () => at(await ask("heartbeat", { deviceId: "printer-2" }), "online") === true);
    await send("printer-2", "tea?");
    await until(async () => (await textsOf("printer-2")).length === 3);
    const [, first = "", second = ""] = await textsOf("printer-2");
    expect([first.slice(0, 7), first.length, second]).toEqual(["<tea?xx", 2001, `<${"x".repeat(104)}`]);
    await until(async () => (await textsOf("printer-2"))[0] === ">tea?");
    runner.kill("SIGTERM");
    expect((await outcome).code).toBe(0);
  });

  it("runs the command again if it was killed before the server knew", async () => {
    const cwd = await folder();
    await ask("register", { deviceId: "fragile", name: "Fragile" });
    await send("fragile", "twice", "once");
    // The first run kills the process that would acknowledge.
    const command = `cat >>log; echo >>log; test -e killed || { touch killed; kill -9 "$PPID"; }`;
    const killed = await finished(device("run", ["fragile", "--exec", command], cwd));
    expect(killed.code).toBeNull();
    expect(await textsOf("fragile")).toEqual([".twice", ".once"]);
    const runner = device("run", ["fragile", "--exec", command], cwd);
    const outcome = finished(runner);
    await until(async () => (await textsOf("fragile")).join() === ">twice,>once");
    runner.kill("SIGTERM");
    await outcome;
    expect(await readFile(join(cwd, "log"), "utf8")).toBe("twice\ntwice\nonce\n");
  });

  it("prints each text, and sends lines", async () => {
    const { url, token } = prepare();
    const env = { TELEX_URL: url, TELEX_TOKEN: token };
    await ask("register", { deviceId: "pipe", name: "Pipe" });
    const cat = await telexHere(["device", "cat", "pipe"], { env, input: `one\n\n${"x".repeat(2001)}\n二` });
    expect({ code: cat.code, texts: await textsOf("pipe") }).toEqual({ code: 1, texts: ["<one", "<二"] });
    const sent = await telexHere(["device", "send", "pipe", "-"], { env, input: "from a pipe\n" });
    expect(sent.code).toBe(0);
    const listener = device("listen", ["pipe", "--json"]);
    const outcome = finished(listener);
    await until(async () => (await textsOf("pipe")).includes(">from a pipe"));
    listener.kill("SIGINT");
    expect(parse((await outcome).stdout)).toMatchObject({ content: "from a pipe" });
  });

  it("sends a line again whose response was lost, and it counts once", async () => {
    const { url, token } = prepare();
    await ask("register", { deviceId: "lossy", name: "Lossy" });
    let calls = 0;
    const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const { authorization = "", "content-type": type = "" } = request.headers;
      const headers = { authorization, "content-type": type };
      const passed = await fetch(`${url}${request.url}`, { method: "POST", headers, body: await readAll(request) });
      calls += 1;
      if (calls === 1) return void request.socket.destroy();
      response.writeHead(passed.status, { "content-type": "application/json" }).end(await passed.text());
    };
    const proxy = createServer((request, response) => void pass(request, response)).listen(0, "127.0.0.1");
    onTestFinished(() => void proxy.close());
    await once(proxy, "listening");
    const env = { TELEX_URL: `http://127.0.0.1:${portOf(proxy)}`, TELEX_TOKEN: token };
    const cat = await telexHere(["device", "cat", "lossy"], { env, input: "one\none\n" });
    expect([cat.code, calls, await textsOf("lossy")]).toEqual([0, 3, ["<one", "<one"]]);
    expect(cat.stderr).toContain("sent again");
  });

  it("ends if the server rejects it", async () => {
    const { url } = prepare();
    const env = { TELEX_URL: url, TELEX_TOKEN: "tlxp_wrong" };
    const { code, stderr } = await telexHere(["device", "run", "x", "--exec", "cat", "--json"], { env });
    expect({ code, error: at(parse(stderr), "error") }).toEqual({ code: 1, error: "invalid_token" });
    expect((await telexHere(["device", "run", "x"], { env })).code).toBe(2);
  });
});
