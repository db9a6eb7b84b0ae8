import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { signIn, startOAuth } from "./oauth-client.ts";
import { type Browser, textOf } from "./server.ts";

const api = "/external/api/v1";
const rooms = "/im/imWebSocket";

/** A socket after a question: its answer, and its close code. */
async function openSocket(url: string, path: string, headers: Readonly<Record<string, string>> = {}) {
  const closed = Promise.withResolvers<number>();
  const first = Promise.withResolvers<string>();
  const socket = new WebSocket(`${url.replace("http", "ws")}${api}${path}`, { headers });
  socket.once("open", () => socket.send(JSON.stringify({ command: "ping", identifier: "1", data: {} })));
  socket.once("message", (frame: Buffer) => first.resolve(frame.toString()));
  socket.once("close", (code) => {
    closed.resolve(code);
    first.resolve("closed");
  });
  socket.once("error", first.reject);
  return { first: await first.promise, closed: closed.promise };
}

const cookieOf = (browser: Browser) => ({ cookie: browser.cookie, origin: browser.url });

/** All connections of alice: a session, a ticket of it, an application, and her own token. */
async function connect() {
  const scene = await startOAuth();
  const { alice, url } = scene;
  const { browser } = alice;
  const tokens = await signIn(scene);
  const own = textOf(await browser.post("/tokens", { scopes: ["chat"] }), "token");
  const ticket = async () => textOf(await browser.post("/tickets"), "ticket");
  await browser.post("/teleprinter/register", { deviceId: "hall", name: "Printer" });
  const sockets = await Promise.all([
    openSocket(url, rooms, cookieOf(browser)),
    openSocket(url, `${rooms}/${await ticket()}`),
    openSocket(url, `${rooms}/${tokens.access_token}`),
    openSocket(url, `${rooms}/${own}`),
  ]);
  const unused = await ticket();
  const poll = browser.get("/teleprinter/poll?deviceId=hall&wait=30");
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
  const statuses = async (): Promise<readonly number[]> => [
    (await browser.get("/account")).status,
    (await scene.browser().get("/oauth2/userId", bearer(tokens.access_token))).status,
    (await scene.browser().get("/oauth2/userId", bearer(own))).status,
  ];
  return { ...scene, sockets, poll, statuses, unused };
}

describe("a person who is suspended", () => {
  it("loses sessions, tokens, applications, sockets, polls and tickets within a second, and gets tokens back", async () => {
    const { alice, member, sockets, poll, statuses, unused, clock, url, browser } = await connect();
    const boss = await member("boss", "admin");
    expect(await statuses()).toEqual([200, 200, 200]);
    expect(await boss.browser.patch(`/admin/users/${alice.id}`, { state: "suspended" })).toMatchObject({ status: 200 });
    expect(await statuses()).toEqual([401, 401, 401]);
    await clock.advance(1000);
    expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual([4401, 4401, 4401, 4401]);
    expect(await poll).toMatchObject({ status: 401 });
    expect((await openSocket(url, `${rooms}/${unused}`)).first).toMatch(/closed|LoginFail/);
    const enter = async (password: string) => await browser().post("/account/signIn", { username: "alice", password });
    expect(await enter(alice.password)).toMatchObject({ status: 403, error: "suspended" });
    expect(await enter("wrong password")).toMatchObject({ status: 401, error: "invalid_token" });
    await boss.browser.patch(`/admin/users/${alice.id}`, { state: "active" });
    expect(await statuses()).toEqual([401, 200, 200]);
  });
});

describe("what a session, an application or a token opened", () => {
  it("ends with it, and nothing else does", async () => {
    const { alice, sockets, poll, statuses, unused, clock, url, storage } = await connect();
    const [session, ticket, application, own] = sockets.map(({ closed }) => closed);
    expect(sockets.map(({ first }) => first.includes("LoginFail"))).toEqual([false, false, false, false]);
    const [grant] = await storage.grants.listGrants(alice.id, clock.now());
    await alice.browser.delete(`/account/applications/${grant?.grantId ?? ""}`);
    await clock.advance(1000);
    expect(await application).toBe(4401);
    expect(await statuses()).toEqual([200, 401, 200]);
    await alice.browser.post("/account/signOut");
    await clock.advance(1000);
    expect(await Promise.all([session, ticket])).toEqual([4401, 4401]);
    expect(await poll).toMatchObject({ status: 401 });
    expect((await openSocket(url, `${rooms}/${unused}`)).first).toMatch(/closed|LoginFail/);
    expect(await statuses()).toEqual([401, 401, 200]);
    expect(await Promise.race([own, Promise.resolve("open")])).toBe("open");
  });

  it("ends with the hour of an access token, while the session goes on", async () => {
    const scene = await startOAuth();
    const { access_token: token } = await signIn(scene);
    await scene.clock.advance(3_595_000);
    const socket = await openSocket(scene.url, `${rooms}/${token}`);
    expect(socket.first).not.toContain("LoginFail");
    await scene.clock.advance(6000);
    expect(await socket.closed).toBe(4401);
    expect((await scene.alice.browser.get("/account")).status).toBe(200);
  });
});
