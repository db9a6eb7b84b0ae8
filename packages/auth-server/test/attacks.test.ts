import { operator } from "@telex/core";
import { openChannel } from "@telex/ws/client";
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { type Browser, secretOf, start, textOf } from "./server.ts";

const signIn = (one: Browser, username: string, password: string, address = "") =>
  one.post(
    "/account/signIn",
    { username, password },
    {
      headers: {
        origin: one.url,
        "content-type": "application/json",
        ...(address !== "" && { "x-forwarded-for": address }),
      },
    },
  );

/** The status with which an upgrade is refused; 101 if it is accepted. */
const upgrade = async (url: string, headers: Readonly<Record<string, string>>, path = ""): Promise<number> =>
  await new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace("http", "ws")}/external/api/v1/im/imWebSocket${path}`, { headers });
    socket.once("unexpected-response", (_request, response) => resolve(response.statusCode ?? 0));
    socket.once("open", () => {
      socket.terminate();
      resolve(101);
    });
    socket.once("error", reject);
  });

describe("session fixation", () => {
  it("fails: signing in makes a new secret, and ends the session that the browser had", async () => {
    const { member } = await start();
    const { browser, password } = await member("carol");
    const former = browser.cookie;
    expect((await signIn(browser, "carol", password)).status).toBe(200);
    expect(browser.cookie).not.toBe(former);
    browser.cookie = former;
    expect((await browser.get("/account")).status).toBe(401);
  });

  it("fails with a secret that the attacker has chosen", async () => {
    const { browser, member } = await start();
    await member("carol");
    const victim = browser();
    victim.cookie = `telex-${new URL(victim.url).port}=tlxs_${"a".repeat(40)}`;
    const chosen = victim.cookie;
    await signIn(victim, "carol", "carol's password");
    expect(victim.cookie).not.toBe(chosen);
  });
});

const foreign: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ["another origin", { origin: "https://evil.example" }],
  ["an opaque origin", { origin: "null" }],
  ["another site", { "sec-fetch-site": "cross-site" }],
  ["a host of the same site", { "sec-fetch-site": "same-site" }],
  ["an address bar", { "sec-fetch-site": "none" }],
];

describe("a page of another site", () => {
  it.each(foreign)("signs nobody in from %s", async (_name, headers) => {
    const { browser, member, invite } = await start();
    await member("carol");
    const sent = { headers: { ...headers, "content-type": "application/json" } };
    const bodies = [
      ["/account/signIn", { username: "carol", password: "carol's password" }],
      ["/account/join", { secret: await invite(), username: "dave", password: "a long password" }],
      ["/account/setup", { secret: "x", username: "dave", password: "a long password" }],
      ["/account/recover", { secret: "x", password: "a long password" }],
      ["/account/register", { username: "dave", password: "a long password" }],
      ["/account/signOut", {}],
    ] as const;
    for (const [path, body] of bodies) {
      const one = browser();
      expect(await one.post(path, body, withoutOrigin(sent, headers))).toMatchObject({
        status: 403,
        error: "cross_origin",
      });
      expect(one.cookie).toBe("");
    }
  });

  it.each([...foreign, ["nowhere", {}] as const])("does nothing with the cookie from %s", async (_name, headers) => {
    const { member } = await start();
    const { browser } = await member("carol");
    const sent = withoutOrigin({ headers: { ...headers, cookie: browser.cookie } }, headers);
    expect(await browser.get("/account", sent)).toMatchObject({ status: 403, error: "cross_origin" });
    expect(await browser.get("/teleprinter/devices", sent)).toMatchObject({ status: 403, error: "cross_origin" });
    expect(await upgrade(browser.url, { cookie: browser.cookie, ...headers })).toBe(403);
  });

  it("may read what is open to everybody, without the cookie", async () => {
    const { member } = await start();
    const { browser } = await member("carol");
    const sent = { headers: { origin: "https://evil.example" } };
    expect((await browser.open("/api/avatar/get/personal?id=1", sent)).status).toBe(200);
  });
});

/** The headers of a request, with an origin only if the case names one. */
const withoutOrigin = <T extends { readonly headers: Readonly<Record<string, string>> }>(
  options: T,
  headers: Readonly<Record<string, string>>,
) => ({ ...options, headers: { ...options.headers, origin: headers["origin"] ?? "" } });

describe("cookie and token", () => {
  it("an explicit token wins over the cookie, and its origin is not looked at", async () => {
    const { member, person } = await start();
    const { browser } = await member("carol");
    const alice = await person("Alice");
    const headers = { authorization: `Bearer ${alice.token}`, origin: "https://evil.example" };
    expect(await browser.get("/oauth2/userId", { headers })).toMatchObject({ status: 200, data: { id: alice.id } });
    expect(
      await upgrade(browser.url, { cookie: browser.cookie, origin: "https://evil.example" }, `/${alice.token}`),
    ).toBe(101);
    expect(
      await browser.get("/oauth2/userId", { headers: { authorization: "Bearer tlxp_wrong", origin: browser.url } }),
    ).toMatchObject({
      status: 401,
    });
  });

  it("no token opens what belongs to the account", async () => {
    const { browser, member, issue } = await start();
    const { id } = await member("carol", "admin");
    const token = await issue({ id, token: "", tokenId: 0 }, ["chat", "profile", "admin"]);
    const one = browser();
    const headers = { authorization: `Bearer ${token}` };
    const sent = { headers: { ...headers, "content-type": "application/json" } };
    const answers = [
      await one.get("/account", { headers }),
      await one.get("/account/sessions", { headers }),
      await one.post("/account/password", { password: "another password" }, sent),
      await one.post("/account/confirm", { password: "carol's password" }, sent),
      await one.post("/tokens", { scopes: ["chat"] }, sent),
    ];
    expect(answers.map(({ status, error }) => `${status} ${String(error)}`)).toEqual(Array(5).fill("403 not_allowed"));
  });

  it("no session becomes a token with the scope admin", async () => {
    const { member } = await start();
    const { browser, id } = await member("carol", "admin");
    expect(await browser.post("/tokens", { scopes: ["admin"] })).toMatchObject({ status: 400 });
    expect(await browser.post("/admin/tokens", { userId: id, scopes: ["admin"] })).toMatchObject({ status: 403 });
    expect(await browser.post("/tokens", { scopes: ["chat"], name: "script" })).toMatchObject({ status: 200 });
  });
});

describe("guessing", () => {
  it("stops after 10 wrong passwords from a network, also for the right one, and not elsewhere", async () => {
    const { browser, member } = await start({}, { trustProxy: 1 });
    const owner = await member("carol");
    const attacker = browser();
    const answers: string[] = [];
    for (let round = 0; round < 30; round += 1)
      answers.push(String((await signIn(attacker, "carol", `guess number ${round}`, "203.0.113.5")).error));
    expect(answers).toEqual([...Array<string>(10).fill("invalid_token"), ...Array<string>(20).fill("rate_limited")]);
    const right = await signIn(attacker, "carol", owner.password, "203.0.113.77");
    expect(right).toMatchObject({ status: 429 });
    expect(Number(right.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await signIn(browser(), "carol", owner.password, "198.51.100.1")).status).toBe(200);
    expect((await owner.browser.get("/account")).status).toBe(200);
  });

  it("invents forwarded addresses in vain where no proxy is trusted", async () => {
    const { browser, member } = await start();
    await member("carol");
    const errors: string[] = [];
    for (let round = 0; round < 12; round += 1)
      errors.push(String((await signIn(browser(), "carol", "wrong password", `203.0.${round}.1`)).error));
    expect(errors.filter((error) => error === "rate_limited")).toHaveLength(2);
  });

  it("rotates within a /64 in vain", async () => {
    const { browser, member } = await start({}, { trustProxy: 1 });
    await member("carol");
    const errors: string[] = [];
    for (let round = 0; round < 14; round += 1)
      errors.push(String((await signIn(browser(), "carol", "wrong password", `2001:db8::${round + 1}`)).error));
    expect(errors.filter((error) => error === "rate_limited")).toHaveLength(4);
  });

  it("from many networks does not lock the owner out", async () => {
    const { browser, member } = await start({}, { trustProxy: 1 });
    const { password } = await member("carol");
    expect((await signIn(browser(), "carol", password, "198.51.100.1")).status).toBe(200);
    const known = browser();
    await known.open("/user/sign-in");
    expect((await signIn(known, "carol", password, "198.51.100.1")).status).toBe(200);
    for (let round = 0; round < 31; round += 1) await signIn(browser(), "carol", "wrong password", `10.0.${round}.1`);
    expect((await signIn(browser(), "carol", password, "192.0.2.1")).status).toBe(429);
    expect((await signIn(browser(), "carol", password, "198.51.100.200")).status).toBe(200);
    expect((await signIn(known, "carol", password, "192.0.2.1")).status).toBe(200);
  });

  it("is answered alike for names with and without an account", async () => {
    const { browser, member } = await start();
    await member("carol");
    const shown: string[] = [];
    for (const name of ["carol", "nobody", "not a name"]) {
      for (let round = 0; round < 12; round += 1) {
        const { status, text, headers } = await signIn(browser(), name, "wrong password");
        shown.push(`${round} ${status} ${text} ${headers.get("www-authenticate")}`);
      }
    }
    expect(new Set(shown).size).toBe(12);
  });
});

describe("a ticket", () => {
  it("opens one socket within 60 seconds", async () => {
    const { member, clock } = await start();
    const { browser } = await member("carol");
    const ticket = async (): Promise<string> => textOf(await browser.post("/tickets"), "ticket");
    const open = async (token: string): Promise<string> => {
      try {
        const channel = await openChannel({ url: browser.url, channel: "rooms", token });
        await channel.ping();
        channel.close();
        return "open";
      } catch {
        return "refused";
      }
    };
    const once = await ticket();
    expect(once).toMatch(/^tlxw_/);
    expect(await Promise.all([open(once), open(once), open(once)])).toSatisfy(
      (all: string[]) => all.filter((one) => one === "open").length === 1,
    );
    const late = await ticket();
    await clock.advance(60_000);
    expect(await open(late)).toBe("refused");
  });
});

describe("recovery", () => {
  const recover = (one: Browser, secret: string, password = "a new password") =>
    one.post("/account/recover", { secret, password });

  it("ends sessions and tokens, sets the password, and names the admin in each room", async () => {
    const { browser, member, room, telex, issue, invite } = await start();
    const admin = await member("boss", "admin");
    const groupId = await room();
    const carol = browser();
    const joined = await carol.post("/account/join", {
      secret: await invite([groupId]),
      username: "carol",
      password: "the old password",
    });
    const id = Number(textOf(joined, "id"));
    const token = await issue({ id, token: "", tokenId: 0 }, ["chat"]);
    const made = await admin.browser.post(`/admin/users/${id}/recovery`);
    const secret = secretOf(textOf(made, "url"));
    expect((await carol.get("/account")).status).toBe(200);
    const again = browser();
    expect(await recover(again, secret)).toMatchObject({ status: 200, data: { recovered: { by: admin.id } } });
    expect((await carol.get("/account")).status).toBe(401);
    expect((await browser().get("/oauth2/userId", { headers: { authorization: `Bearer ${token}` } })).status).toBe(401);
    expect((await signIn(browser(), "carol", "the old password")).status).toBe(401);
    expect((await signIn(browser(), "carol", "a new password")).status).toBe(200);
    const history = await again.get(`/im/getMessage?groupId=${groupId}&groupType=1`);
    expect(JSON.stringify(history.data)).toContain("管理员生成的链接重置了一位成员的登录方式");
    expect(JSON.stringify(history.data)).toContain("boss");
    expect(telex.clock.now()).toBeGreaterThan(0);
  });

  it("gives one of several simultaneous callers the account", async () => {
    const { auth, browser, member } = await start();
    const { id } = await member("carol");
    const { url } = await auth.services.recovery.make(null, id);
    const calls = Array.from({ length: 8 }, (_, index) => recover(browser(), secretOf(url), `new password ${index}`));
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect((await recover(browser(), secretOf(url))).status).toBe(410);
  });

  it("ends after 24 hours, with its maker, and when its person becomes an admin", async () => {
    const { browser, clock, member, telex } = await start();
    const [boss, other, carol] = [await member("boss", "admin"), await member("other", "admin"), await member("carol")];
    const { users } = telex.operator;
    const link = async () => secretOf(textOf(await boss.browser.post(`/admin/users/${carol.id}/recovery`), "url"));
    const ends = async (secret: string): Promise<unknown> => (await recover(browser(), secret)).error;
    const late = await link();
    await clock.advance(24 * 3_600_000);
    expect(await ends(late)).toBe("link_ended");
    await signIn(boss.browser, "boss", boss.password);
    const early = await link();
    await users.amend(operator, { id: carol.id, role: "admin" });
    expect(await ends(early)).toBe("link_ended");
    await users.amend(operator, { id: carol.id, role: null });
    const last = await link();
    await users.amend(operator, { id: boss.id, role: null });
    expect(await ends(last)).toBe("link_ended");
    expect((await signIn(browser(), "carol", carol.password)).status).toBe(200);
    expect(other.id).toBeGreaterThan(0);
  });

  it("of an admin is made in the shell only, and an unused link changes nothing", async () => {
    const { auth, member } = await start();
    const boss = await member("boss", "admin");
    const other = await member("other", "admin");
    expect(await boss.browser.post(`/admin/users/${other.id}/recovery`)).toMatchObject({
      status: 403,
      error: "not_allowed",
    });
    await auth.services.recovery.make(null, other.id);
    expect((await other.browser.get("/account")).status).toBe(200);
  });
});

describe("an admin's session", () => {
  it("reads, but changes nothing as an admin when its last confirmation is an hour old", async () => {
    const { clock, member } = await start();
    const { browser, password } = await member("boss", "admin");
    await clock.advance(3_600_000);
    expect((await browser.get("/admin/users")).status).toBe(200);
    expect(await browser.post("/admin/invitations")).toMatchObject({ status: 403, error: "not_confirmed" });
    expect(await browser.post("/account/confirm", { password: "wrong password" })).toMatchObject({ status: 403 });
    expect((await browser.post("/account/confirm", { password })).status).toBe(200);
    expect((await browser.post("/admin/invitations")).status).toBe(200);
  });

  it("of the last admin keeps the role", async () => {
    const { member } = await start();
    const { browser, id } = await member("boss", "admin");
    expect(await browser.patch(`/admin/users/${id}`, { role: null })).toMatchObject({
      status: 409,
      error: "last_admin",
    });
  });
});

describe("one's own account", () => {
  it("asks for the password 10 minutes after signing in, and ends the other sessions when it changes", async () => {
    const { browser, clock, member } = await start();
    const carol = await member("carol");
    const other = browser();
    await signIn(other, "carol", carol.password);
    const token = textOf(await other.post("/tokens", { scopes: ["chat"] }), "token");
    await clock.advance(600_000);
    const change = { password: "another password" };
    expect(await carol.browser.post("/account/password", change)).toMatchObject({
      status: 403,
      error: "not_confirmed",
    });
    expect(await carol.browser.post("/tokens", { scopes: ["chat"] })).toMatchObject({ error: "not_confirmed" });
    expect((await carol.browser.post("/account/password", { current: carol.password, ...change })).status).toBe(200);
    expect((await carol.browser.get("/account")).status).toBe(200);
    expect((await other.get("/account")).status).toBe(401);
    const headers = { authorization: `Bearer ${token}` };
    expect((await browser().get("/oauth2/userId", { headers })).status).toBe(200);
    expect(await carol.browser.delete("/account/password")).toMatchObject({ error: "not_confirmed" });
  });

  it("keeps the last way to sign in", async () => {
    const { member } = await start();
    const { browser } = await member("carol");
    expect(await browser.delete("/account/password")).toMatchObject({ status: 409, error: "last_way" });
  });

  it("does not count an account at a provider that is not in the settings any more", async () => {
    const issuer = "https://id.example";
    const statusWith = async (issuers: readonly string[]): Promise<number> => {
      const providers = issuers.map((one) => ({ id: "example", issuer: one, clientId: "telex", name: "Example ID" }));
      const { member, storage } = await start({ providers });
      const { id, browser } = await member("carol");
      const identities = [{ issuer, subject: "1", name: "carol", createdAt: 1 }];
      const account = await storage.accounts.findAccount({ userId: id });
      await storage.accounts.amendAccount({ userId: id, rev: account?.rev ?? 0, change: { identities } });
      return (await browser.delete("/account/password")).status;
    };
    expect(await statusWith([`${issuer}/`])).toBe(200);
    expect(await statusWith([])).toBe(409);
    expect(await statusWith(["https://other.example"])).toBe(409);
  });

  it("lists its browsers, and ends another one with its sockets", async () => {
    const { browser, clock, member } = await start();
    const carol = await member("carol");
    const other = browser();
    await clock.advance(1);
    await signIn(other, "carol", carol.password);
    const list = await carol.browser.get("/account/sessions");
    expect(list.data).toMatchObject({ list: [{ current: false }, { current: true }] });
    const ended = Promise.withResolvers<number>();
    const socket = new WebSocket(`${other.url.replace("http", "ws")}/external/api/v1/im/imWebSocket`, {
      headers: { cookie: other.cookie, origin: other.url },
    });
    await new Promise((resolve) => socket.once("open", resolve));
    socket.once("close", (code) => ended.resolve(code));
    await new Promise((resolve) => socket.ping(resolve));
    const id = /"id":"(\w+)","browser":"[^"]*","address":"[^"]*","lastUsed":"[^"]*","current":false/.exec(
      list.text,
    )?.[1];
    expect((await carol.browser.delete(`/account/sessions/${String(id)}`)).status).toBe(200);
    expect((await other.get("/account")).status).toBe(401);
    await clock.advance(2000);
    expect(await ended.promise).toBe(4401);
  });
});

describe("secrets", () => {
  it("are in no log, error, response other than their own, or record", async () => {
    const scene = await start();
    const { auth, browser, log, member, storage } = scene;
    const boss = await member("boss", "admin");
    const carol = await member("carol");
    const link = secretOf(textOf(await boss.browser.post("/admin/invitations"), "url"));
    const recovery = secretOf((await auth.services.recovery.make(null, carol.id)).url);
    const ticket = textOf(await carol.browser.post("/tickets"), "ticket");
    const cookie = carol.browser.cookie.split("=")[1] ?? "";
    const issued = textOf(await carol.browser.post("/tokens", { scopes: ["chat"] }), "token");
    const secrets = [link, recovery, ticket, cookie, issued, "carol's password"];
    expect(secrets.every((secret) => secret.length >= 16)).toBe(true);
    const answers = [
      await browser().post("/account/join", { secret: link, username: "!", password: "carol's password" }),
      await browser().post("/account/recover", { secret: recovery, password: "short" }),
      await signIn(browser(), "carol's password", link),
      await carol.browser.get(`/account?secret=${link}`),
      await boss.browser.get("/admin/invitations"),
      await carol.browser.get("/account/sessions"),
    ];
    const page = { after: "", limit: 100 };
    const stored = [
      await storage.accounts.listAccounts({ after: 0, limit: 100 }),
      await storage.accounts.listSessions(carol.id, 0),
      ...(await Promise.all(
        (["invitation", "recovery", "ticket"] as const).map((kind) => storage.accounts.listLinks({ kind, ...page })),
      )),
      await storage.tokens.listTokens({ userId: null, after: 0, limit: 100 }),
    ];
    const written = [
      ...log.lines,
      ...log.security,
      ...answers.map(({ text, headers }) => text + JSON.stringify([...headers])),
      JSON.stringify(stored),
    ].join("\n");
    expect(written.length).toBeGreaterThan(2000);
    expect(secrets.filter((secret) => written.includes(secret))).toEqual([]);
  });
});
