import { once } from "node:events";
import { expect, it, onTestFinished, vi } from "vitest";
import { folder, serve } from "test-support/command";
import { at, parse } from "test-support/json";
import { WebSocket } from "ws";
import { telexHere } from "./in-process.ts";

/** The answer of a bot to each action. */
const answers: Readonly<Record<string, unknown>> = {
  get_status: { online: true, good: true },
  get_login_info: { user_id: 9000 },
  get_version_info: { app_name: "Sim", app_version: "1" },
  get_group_list: [],
};

/** A bot that connects to a server and answers its requests. */
async function connectBot(url: string, token: string): Promise<WebSocket> {
  const headers = { authorization: `Bearer ${token}` };
  const socket = new WebSocket(`${url.replace("http", "ws")}/onebot/v11/ws`, { headers });
  onTestFinished(() => socket.terminate());
  socket.on("message", (data) => {
    const frame = parse(Buffer.isBuffer(data) ? data.toString() : "");
    const answer = answers[String(at(frame, "action"))] ?? null;
    socket.send(JSON.stringify({ status: "ok", retcode: 0, data: answer, echo: at(frame, "echo") }));
  });
  await once(socket, "open");
  return socket;
}

it("bot list, show, test and doctor say how a bot of a running server is, on the storage alone", async () => {
  const cwd = await folder();
  const server = await serve(["--server-id", "alpha"], { cwd });
  const { stdout: token } = await telexHere(["bot", "add", "10001"], { cwd });
  const show = async (): Promise<unknown> =>
    parse((await telexHere(["bot", "show", "10001", "--json"], { cwd })).stdout);
  expect((await telexHere(["bot", "list"], { cwd })).stdout).toContain("never seen");
  // The server notices the account within a second.
  const bot = await vi.waitFor(() => connectBot(server.url, token.trim()), { timeout: 20_000, interval: 100 });
  await vi.waitUntil(async () => at(await show(), "online") === true, { timeout: 20_000, interval: 100 });
  expect((await telexHere(["bot", "show", "10001"], { cwd })).stdout).toMatch(/state +online[^]*server +alpha/);
  const tested = await telexHere(["bot", "test", "10001"], { cwd });
  expect([tested.code, tested.stdout.split("\n").filter((line) => line.startsWith("ok "))]).toMatchObject([
    0,
    { length: 5 },
  ]);
  expect((await telexHere(["doctor"], { cwd })).stdout).toContain("1 online");

  bot.close();
  await vi.waitUntil(async () => at(await show(), "connected") === false, { timeout: 20_000, interval: 100 });
  const failed = await telexHere(["bot", "test", "10001"], { cwd });
  expect([failed.code, failed.stdout]).toEqual([1, "FAIL  connection  The connection of the bot has ended.\n"]);
  const { stdout } = await telexHere(["doctor"], { cwd });
  expect(stdout).toContain("not online: 10001: The connection of the bot has ended.");
  expect(stdout).toContain("Start the bot.");
  expect(stdout).not.toContain(token.trim());
});

it("an account has a name for people, and says if it is official", async () => {
  const cwd = await folder();
  const json = async (...args: readonly string[]): Promise<unknown> =>
    parse((await telexHere(["bot", ...args, "--json"], { cwd })).stdout);
  const added = await json("add", "10001", "--name", "Tea room", "--official");
  expect(added).toMatchObject({ account: "10001", name: "Tea room", official: true });
  expect(at(added, "token")).toMatch(/^[\w-]{32}$/);
  expect(await json("add", "10002")).toMatchObject({ account: "10002", name: null, official: false });
  expect((await telexHere(["bot", "list"], { cwd })).stdout).toMatch(/10001 +Tea room +qq/);
  expect((await telexHere(["bot", "show", "10001"], { cwd })).stdout).toMatch(/name +Tea room/);
  expect(await json("set", "10001", "--no-official")).toMatchObject({ name: "Tea room", official: false });
  expect(await json("set", "10001", "--name", "茶馆")).toMatchObject({ name: "茶馆", official: false });
  expect((await telexHere(["bot", "set", "10001", "--name", ""], { cwd })).stdout).not.toContain("茶馆");
  expect(await json("show", "10001")).toMatchObject({ name: null });
  expect((await telexHere(["bot", "set", "10001", "--name", "x".repeat(65)], { cwd })).code).toBe(2);
});

it("a change of nothing is refused, also if the command names its storage", async () => {
  const data = await folder();
  await telexHere(["bot", "add", "10001", "--data", data]);
  const { code, stderr } = await telexHere(["bot", "set", "10001", "--data", data]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("Say what to change: --name, --secret")]);
});

it("an account that there is not is said to be missing", async () => {
  const cwd = await folder();
  await telexHere(["bot", "add", "10001"], { cwd });
  for (const command of ["show", "test"]) {
    const { code, stderr } = await telexHere(["bot", command, "2"], { cwd });
    expect([code, stderr]).toMatchObject([1, expect.stringContaining("2")]);
  }
});
