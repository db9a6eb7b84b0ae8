import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { finished, folder, lastJson, type Outcome, serve, start, telex } from "test-support/command";
import { portOf } from "test-support/port";
import { at, parse, textAt } from "test-support/json";
import { telexHere } from "./in-process.ts";

interface Scene {
  readonly cwd: string;
  readonly url: string;
  readonly args: readonly string[];
}

const account = "10001";
const secret = "secret-of-the-bot";
const faults = ["--faults", "slow,drop-before,drop-after,dup,offline,malformed", "--seed", "7"];

/** A server with an account, a room of the network's group 500, and a member with a token. */
async function scene(): Promise<Scene> {
  const cwd = await folder();
  const { url } = await serve(["--rate-limits", "off"], { cwd });
  const addMember = async (): Promise<string> => {
    const { stdout } = await telexHere(["user", "add", "Ann", "--issue-token", "--json"], { cwd });
    await telexHere(
      ["group", "add", "--type", "4", "--name", "Tea", "--ext", "500", "--bot", account, "--member", "1"],
      {
        cwd,
      },
    );
    return textAt(parse(stdout), "token");
  };
  const addBot = telex(["bot", "add", account, "--secret", secret, "--min-interval", "0"], { cwd });
  const [token] = await Promise.all([addMember(), addBot]);
  return { cwd, url, args: ["--token", token, "--secret", secret, "--room", "1", "--ext", "500", "--json"] };
}

/** The address at which a started bot waits. */
async function addressOf({ stdout }: ReturnType<typeof start>): Promise<string> {
  const line = await new Promise<string>((resolve) => stdout.once("data", (data) => resolve(String(data))));
  return textAt(parse(line.split("\n", 1)[0] ?? ""), "listening");
}

/** Starts a bot that waits for the server, and tells the server to connect to it. */
async function waitForServer({ cwd, args }: Scene, url: string, ...more: string[]): Promise<Outcome> {
  const child = start(["bot", "simulate", "--url", url, ...args, "--listen", "0", ...more]);
  const outcome = finished(child);
  const address = await addressOf(child);
  await telexHere(["bot", "set", account, "--connect", address, "--secret", secret], { cwd });
  return await outcome;
}

/** A proxy between clients and a server that sends every message a second time. */
async function createDoubling(server: string): Promise<string> {
  const doubling = createServer((request, response) => {
    const forward = async (): Promise<void> => {
      const { authorization = "" } = request.headers;
      const body = await text(request);
      const send = async (sent: string): Promise<Response> =>
        await fetch(`${server}${request.url}`, {
          method: request.method ?? "GET",
          headers: { authorization, "content-type": "application/json" },
          ...(sent !== "" && { body: sent }),
        });
      const answer = await send(body);
      if (answer.ok && body !== "") await send(JSON.stringify({ ...Object(parse(body)), nonce: "another" }));
      response.writeHead(answer.status).end(await answer.text());
    };
    forward().catch(() => response.destroy());
  }).listen(0, "127.0.0.1");
  onTestFinished(() => doubling.closeAllConnections());
  onTestFinished(() => void doubling.close());
  await once(doubling, "listening");
  return `http://127.0.0.1:${portOf(doubling)}`;
}

/** A server that rejects all messages of bots and clients. */
async function createRefusing(): Promise<string> {
  const page = { currentPage: 1, totalPage: 1, nextPageCursor: null, previousPageCursor: null, groupMessages: [] };
  const refusing = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const isMessage = (await text(request)).includes("message");
      if (request.url?.includes("/webhook/") === true) response.writeHead(isMessage ? 503 : 204).end();
      else if (!isMessage) response.end(JSON.stringify({ code: 200, msg: "", data: page }));
      else response.writeHead(403).end(JSON.stringify({ code: 403, msg: "", data: { error: "not_member" } }));
    };
    answer().catch(() => response.destroy());
  }).listen(0, "127.0.0.1");
  onTestFinished(() => refusing.closeAllConnections());
  onTestFinished(() => void refusing.close());
  await once(refusing, "listening");
  return `http://127.0.0.1:${portOf(refusing)}`;
}

const whole = (version: number, count: number) => ({ version, refused: 0, said: count + 1, duplicates: 0, lost: 0 });
const messagesOf = (stdout: string): number => {
  const figures = lastJson(stdout);
  return Number(at(figures, "sent")) + Number(at(figures, "unknown"));
};

it.each(["11", "12"])(
  "bot simulate loses and doubles nothing on a bad network with OneBot %s, from either side and over HTTP",
  async (version) => {
    const here = await scene();
    const protocol = ["--protocol", version];
    const options = [...protocol, ...faults];
    const reverse = await telex(["bot", "simulate", "--url", here.url, ...here.args, "--count", "20", ...options]);
    expect(reverse).toMatchObject({ code: 0, stderr: "" });
    expect(lastJson(reverse.stdout)).toMatchObject(whole(Number(version), 20));
    expect(messagesOf(reverse.stdout)).toBe(20);
    expect(at(lastJson(reverse.stdout), "connections")).toBeGreaterThan(1);
    const http = await waitForServer(here, here.url, "--http", account, "--count", "12", ...options);
    expect(http).toMatchObject({ code: 0, stderr: "" });
    expect(lastJson(http.stdout)).toMatchObject(whole(Number(version), 12));
    expect(messagesOf(http.stdout)).toBe(12);
    const forward = await waitForServer(here, here.url, "--count", "5", ...options);
    expect(forward).toMatchObject({ code: 0, stderr: "" });
    expect(lastJson(forward.stdout)).toMatchObject(whole(Number(version), 5));
    expect(messagesOf(forward.stdout)).toBe(5);
  },
);

it("bot simulate over HTTP ends although its events are not taken, and answers nothing to somebody else", async () => {
  const url = await createRefusing();
  const place = ["--token", "t", "--secret", secret, "--room", "1", "--ext", "500", "--http", account, "--listen", "0"];
  const child = start(["bot", "simulate", "--url", url, ...place, "--json"]);
  const outcome = finished(child);
  const address = await addressOf(child);
  await expect(fetch(`${address}/get_status`, { method: "POST", body: "no JSON" })).rejects.toThrow("fetch failed");
  const headers = { authorization: `Bearer ${secret}` };
  await fetch(`${address}/get_status`, { method: "POST", headers, body: "{}" });
  const { code, stderr } = await outcome;
  expect(code).toBe(1);
  expect(stderr).toContain("not_member");
});

it("bot simulate exits with 1 when the secret or the token is refused, and when what was sent once is twice in the network", async () => {
  const here = await scene();
  const wrong = (option: string) => here.args.map((word, index) => (here.args[index - 1] === option ? "wrong" : word));
  const run = async (args: readonly string[]) => await telex(["bot", "simulate", "--url", here.url, ...args]);
  const secretRefused = await run(wrong("--secret"));
  expect(secretRefused.code).toBe(1);
  expect(parse(secretRefused.stderr)).toMatchObject({ error: "refused" });
  const tokenRefused = await run(wrong("--token"));
  expect(tokenRefused.code).toBe(1);
  expect(parse(tokenRefused.stderr)).toMatchObject({ error: "invalid_token" });
  expect((await run([...here.args, "--faults", "dup,rain"])).code).toBe(2);
  const url = await createDoubling(here.url);
  const { code, stdout, stderr } = await waitForServer(here, url, "--count", "1");
  expect(lastJson(stdout)).toMatchObject({ sent: 1, duplicates: 1, lost: 0 });
  expect(code).toBe(1);
  expect(stderr).toContain("2 times in the network");
});
