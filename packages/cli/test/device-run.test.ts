import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { at, listAt, parse, textAt } from "test-support/json";
import { finished, folder, forAllTests, serve, start, until } from "test-support/command";
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

  /** The texts of a device, oldest first: `>` for the device, `<` from it, `!` if it was given up, and `.` if it waits. */
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

  it("ends if the server rejects it", async () => {
    const { url } = prepare();
    const env = { TELEX_URL: url, TELEX_TOKEN: "tlxp_wrong" };
    const { code, stderr } = await telexHere(["device", "run", "x", "--exec", "cat", "--json"], { env });
    expect({ code, error: at(parse(stderr), "error") }).toEqual({ code: 1, error: "invalid_token" });
    expect((await telexHere(["device", "run", "x"], { env })).code).toBe(2);
  });
});
