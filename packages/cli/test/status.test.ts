import { createServer } from "node:http";
import { once } from "node:events";
import { folder, serve, telex, until } from "test-support/command";
import { portOf } from "test-support/port";
import { at, parse, textAt } from "test-support/json";
import { describe, expect, it, onTestFinished } from "vitest";

/** A demo server with metrics and an access log, and the token of an admin. */
async function start() {
  const cwd = await folder();
  const server = await serve(["--demo", "--server-id", "b-2", "--metrics-port", "0", "--access-log", "on"], { cwd });
  const issued = await telex(["token", "issue", "--user", "1", "--scope", "admin", "--json"], { cwd });
  const token = textAt(parse(issued.stdout), "token");
  const lines = (): unknown[] => server.log().split("\n").filter(Boolean).map(parse);
  const run = (...args: string[]) => telex([...args, "--url", server.url], { cwd, env: { TELEX_TOKEN: token } });
  return { ...server, token, user: textAt(server.printed, "users", 0, "token"), run, lines };
}

describe("a server that is watched", () => {
  it("tells its status and its rates, serves metrics, and logs responses without a token", async () => {
    const { run, lines, url, user } = await start();
    await fetch(`${url}/external/api/v1/teleprinter/devices?access_token=${user}`);

    const { code, stdout } = await run("status", "--json");
    expect(code).toBe(0);
    expect(at(parse(stdout), "stored", "users")).toBeGreaterThan(0);
    const shown = await run("status");
    expect(shown.stdout).toMatch(/^name +b-2$/m);
    expect(shown.stdout).toMatch(/^calls +\d+, including \d+ refused and 0 failed$/m);

    const watched = await run("top", "--interval", "1s", "--for", "1s");
    const [first, second] = watched.stdout.trim().split("\n").map(parse);
    expect(at(first, "perSecond")).toBeNull();
    expect([watched.code, second === undefined || at(second, "perSecond", "calls") !== undefined]).toEqual([0, true]);

    const listening = lines().find((line) => at(line, "event") === "metrics.listening");
    const metrics = await (await fetch(textAt(listening, "address"))).text();
    expect(metrics).toMatch(/^telex_calls_total\{operation="teleprinter.devices",outcome="ok"\} [1-9]/m);

    const isLogged = (line: unknown): boolean =>
      at(line, "event") === "http.response" && at(line, "route") === "/external/api/v1/teleprinter/devices";
    await until(() => Promise.resolve(lines().some(isLogged)));
    expect(lines().find(isLogged)).toMatchObject({ method: "GET", status: 200, address: "127.0.0.1" });
    expect(JSON.stringify(lines())).not.toContain(user);
  });

  it.each(["the command", "the signal"])("drains by %s, and still answers calls", async (by) => {
    const { run, lines, url, user, process: server } = await start();
    const ready = async (): Promise<number> => (await fetch(`${url}/readyz`)).status;
    expect(await ready()).toBe(200);
    if (by === "the signal") server.kill("SIGUSR2");
    else expect((await run("drain", "b-2", "--over", "1s")).stdout).toBe("b-2 drains, and can be stopped in 1 s.\n");
    await until(async () => (await ready()) === 503);
    const devices = `${url}/external/api/v1/teleprinter/devices`;
    expect((await fetch(devices, { headers: { authorization: `Bearer ${user}` } })).status).toBe(200);
    await until(() => Promise.resolve(lines().some((line) => at(line, "event") === "server.draining")));
    const unknown = await run("drain", "b-3");
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('named "b-3"')]);
  });

  it("is refused a port of the metrics that is taken, and stops", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void taken.close());
    await once(taken, "listening");
    const port = String(portOf(taken));
    const cwd = await folder();
    const { code, stderr } = await telex(["serve", "--port", "0", "--metrics-port", port, "--json"], { cwd });
    const refusal = stderr
      .trim()
      .split("\n")
      .map(parse)
      .find((line) => at(line, "error") === "address_in_use");
    expect([code, textAt(refusal, "msg")]).toEqual([1, expect.stringContaining("--metrics-port")]);
  });

  it("tells nothing to a user", async () => {
    const { url, user } = await start();
    const { code, stderr } = await telex(["status", "--url", url, "--json"], {
      cwd: await folder(),
      env: { TELEX_TOKEN: user },
    });
    expect([code, textAt(parse(stderr), "error")]).toEqual([1, "insufficient_scope"]);
  });
});
