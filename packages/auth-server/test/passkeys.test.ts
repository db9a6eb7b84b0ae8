import { operator } from "@telex/core";
import { describe, expect, it } from "vitest";
import { Authenticator, type Lie } from "./authenticator.ts";
import { type Browser, secretOf, start, textOf } from "./server.ts";

const here = { host: "localhost" } as const;

const refused = { status: 400, error: "invalid_request" };

/** A server at a name, and a person with a password and a passkey. */
async function setup() {
  const server = await start({}, here);
  const carol = await server.member("carol");
  const authenticator = new Authenticator(server.url);
  const added = await add(carol.browser, authenticator);
  expect(added).toMatchObject({ status: 200, data: { id: authenticator.id, lastUsed: null } });
  return { ...server, carol, authenticator };
}

async function add(browser: Browser, authenticator: Authenticator, lie: Lie = {}, name?: string) {
  const { data } = await browser.post("/account/passkeys/options");
  return await browser.post("/account/passkeys", { passkey: authenticator.create(data, lie), ...(name && { name }) });
}

const optionsOf = async (browser: Browser, path = "/account/signIn/options", body = {}): Promise<unknown> =>
  (await browser.post(path, body)).data;

async function signIn(browser: Browser, authenticator: Authenticator, lie: Lie = {}) {
  const options = await optionsOf(browser);
  return await browser.post("/account/signIn/passkey", { passkey: authenticator.use(options, lie) });
}

describe("a passkey", () => {
  it("signs in, and its use is shown", async () => {
    const { browser, carol, authenticator } = await setup();
    const person = browser();
    const entered = await signIn(person, authenticator);
    expect(entered).toMatchObject({ status: 200, data: { username: "carol", passkeys: 1, password: true } });
    expect(await person.get("/account")).toMatchObject({ status: 200, data: { id: carol.id } });
    const { data } = await person.get("/account/passkeys");
    expect(data).toMatchObject({ available: true, list: [{ id: authenticator.id, name: "another program" }] });
    expect(JSON.stringify(data)).not.toContain('"lastUsed":null');
  });

  it("opens accounts in the place of a password: the first one, with an invitation, and for everybody", async () => {
    const { auth, browser, invite, url } = await start({ registration: "open" }, here);
    const link = await auth.services.setup.make("one");
    const cases = [
      ["setup", "alice", { secret: secretOf(link?.url ?? "") }],
      ["join", "bob", { secret: await invite() }],
      ["register", "carol", {}],
    ] as const;
    for (const [way, username, given] of cases) {
      const authenticator = new Authenticator(url);
      const options = await optionsOf(browser(), "/account/open/options", { username, ...given });
      expect(options).toMatchObject({
        rp: { id: "localhost" },
        user: { name: username },
        attestation: "none",
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
      });
      const passkey = authenticator.create(options);
      const opened = await browser().post(`/account/${way}`, { ...given, username, passkey });
      expect(opened).toMatchObject({ status: 200, data: { username, password: false, passkeys: 1 } });
      expect(await signIn(browser(), authenticator)).toMatchObject({ status: 200, data: { username } });
    }
  });

  it("is not made for a username that is taken, which the options say as often as joining does", async () => {
    const { browser, invite, member } = await start({}, here);
    await member("carol");
    const statusOf = async (body: object) => (await browser().post("/account/open/options", body)).status;
    const secret = await invite();
    expect(await statusOf({ username: "dave", secret })).toBe(200);
    for (let time = 0; time < 20; time += 1) expect(await statusOf({ username: "Carol", secret })).toBe(409);
    expect(await statusOf({ username: "carol", secret })).toBe(200);
    const join = { username: "dave", password: "a long password", secret };
    expect(await browser().post("/account/join", join)).toMatchObject({ status: 410 });
    // Strangers without a link, or with any text instead of it, learn nothing.
    for (const other of [undefined, "x", await invite().then((text) => text.replace(/.{4}$/, "0000"))])
      expect(await statusOf({ username: "carol", secret: other })).toBe(200);
    const open = await start({ registration: "open" }, here);
    await open.member("carol");
    const told = await open.browser().post("/account/open/options", { username: "carol" });
    expect(told).toMatchObject({ status: 409, error: "username_taken" });
  });

  it("is one of two ways to open an account: neither, and both, are refused", async () => {
    const { browser, url } = await start({ registration: "open" }, here);
    const options = await optionsOf(browser(), "/account/open/options", { username: "carol" });
    const passkey = new Authenticator(url).create(options);
    const register = (body: object) => browser().post("/account/register", { username: "carol", ...body });
    expect(await register({})).toMatchObject(refused);
    expect(await register({ passkey, password: "a long password" })).toMatchObject(refused);
    expect(await register({ passkey })).toMatchObject({ status: 200 });
  });

  it("recovers an account: what is not kept is removed, sessions end", async () => {
    const { auth, browser, carol, authenticator: lost, url } = await setup();
    const kept = new Authenticator(url);
    await add(carol.browser, kept);
    const { url: link } = await auth.services.recovery.make(null, carol.id);
    const secret = secretOf(link);
    const found = new Authenticator(url);
    const options = await optionsOf(browser(), "/account/recover/options", { secret });
    expect(options).toMatchObject({ excludeCredentials: [{ id: lost.id }, { id: kept.id }] });
    const body = { secret, passkey: found.create(options), keepPasskeys: [kept.id] };
    const recovered = await browser().post("/account/recover", body);
    expect(recovered).toMatchObject({ status: 200, data: { password: false, passkeys: 2 } });
    expect((await carol.browser.get("/account")).status).toBe(401);
    expect((await signIn(browser(), lost)).status).toBe(400);
    for (const one of [kept, found]) expect((await signIn(browser(), one)).status).toBe(200);
    expect(await browser().post("/account/recover/options", { secret })).toMatchObject({ status: 410 });
  });

  it("is renamed and removed by its owner only, and never as the last way to sign in", async () => {
    const { browser, carol, authenticator, member, url } = await setup();
    const bob = await member("bob");
    const path = `/account/passkeys/${authenticator.id}`;
    expect(await bob.browser.patch(path, { name: "mine" })).toMatchObject({ status: 404 });
    expect(await bob.browser.delete(path)).toMatchObject({ status: 404 });
    expect(await carol.browser.patch(path, { name: "Phone" })).toMatchObject({ status: 200, data: { name: "Phone" } });
    expect(await carol.browser.delete("/account/password")).toMatchObject({ status: 200, data: { password: false } });
    expect(await carol.browser.delete(path)).toMatchObject({ status: 409, error: "last_way" });
    const second = new Authenticator(url);
    await add(carol.browser, second);
    const removed = await Promise.all(
      [authenticator, second].map(({ id }) => carol.browser.delete(`/account/passkeys/${id}`)),
    );
    expect(removed.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const signedIn = await Promise.all([authenticator, second].map((one) => signIn(browser(), one)));
    expect(signedIn.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
  });

  it("confirms who is signed in, and is changed only within 10 minutes after that", async () => {
    const { browser, clock, carol, authenticator } = await setup();
    await clock.advance(600_000);
    const path = `/account/passkeys/${authenticator.id}`;
    const guarded = { status: 403, error: "not_confirmed" };
    expect(await carol.browser.post("/account/passkeys/options")).toMatchObject(guarded);
    expect(await carol.browser.post("/account/passkeys", { passkey: authenticator.create({}) })).toMatchObject(guarded);
    expect(await carol.browser.patch(path, { name: "x" })).toMatchObject(guarded);
    expect(await carol.browser.delete(path)).toMatchObject(guarded);
    const options = await optionsOf(carol.browser, "/account/confirm/options");
    expect(options).toMatchObject({ allowCredentials: [{ id: authenticator.id, transports: ["internal"] }] });
    const passkey = authenticator.use(options);
    const password = "carol's password";
    expect(await carol.browser.post("/account/confirm", { passkey, password })).toMatchObject(refused);
    expect(await carol.browser.post("/account/confirm", { passkey })).toMatchObject({ status: 200 });
    expect(await carol.browser.patch(path, { name: "Phone" })).toMatchObject({ status: 200 });
    expect((await browser().post("/account/confirm/options")).status).toBe(401);
  });

  it("is one of at most 20 of an account, also for simultaneous calls", async () => {
    const { carol, url, storage } = await setup();
    const made = [];
    for (let one = 0; one < 20; one += 1) {
      const authenticator = new Authenticator(url);
      made.push(authenticator.create(await optionsOf(carol.browser, "/account/passkeys/options")));
    }
    for (const passkey of made.slice(2)) await carol.browser.post("/account/passkeys", { passkey });
    const last = await Promise.all(
      made.slice(0, 2).map((passkey) => carol.browser.post("/account/passkeys", { passkey })),
    );
    expect(last.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect((await storage.accounts.findAccount({ userId: carol.id }))?.passkeys).toHaveLength(20);
    expect(await carol.browser.post("/account/passkeys/options")).toMatchObject({ error: "limit_reached" });
  });

  it("opens nothing for a suspended person, who is told so, and nothing for a token", async () => {
    const { browser, carol, authenticator, telex } = await setup();
    const token = textOf(await carol.browser.post("/tokens", { scopes: ["chat"] }), "token");
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    for (const path of ["/account/passkeys/options", "/account/passkeys", "/account/confirm/options"]) {
      const body = path === "/account/passkeys" ? { passkey: authenticator.create({}) } : {};
      expect(await browser().post(path, body, { headers })).toMatchObject({ status: 403, error: "not_allowed" });
    }
    expect(await browser().get("/account/passkeys", { headers })).toMatchObject({ status: 403 });
    await telex.operator.users.amend(operator, { id: carol.id, state: "suspended" });
    expect(await signIn(browser(), authenticator)).toMatchObject({ status: 403, error: "suspended" });
  });
});

describe("a server without a name", () => {
  const places: readonly (readonly [string, { readonly baseUrl?: string; readonly insecureCookies?: boolean }])[] = [
    ["an address of this machine", {}],
    ["an address over HTTPS", { baseUrl: "https://192.0.2.7" }],
    ["an IPv6 address over HTTPS", { baseUrl: "https://[2001:db8::7]" }],
    ["a name over HTTP", { baseUrl: "http://telex.example", insecureCookies: true }],
  ];

  it.each(places)("has no passkeys at %s, and says why", async (_name, options) => {
    const { browser, url } = await start(options);
    const person = browser();
    const answer = await person.post("/account/signIn/options");
    expect(answer).toMatchObject({ status: 409, error: "not_supported" });
    expect(answer.text).toContain("The operator sets baseUrl");
    const passkey = new Authenticator(url).use({ challenge: "x", rpId: "localhost" });
    const headers = { origin: options.baseUrl ?? url, "content-type": "application/json" };
    expect(await person.post("/account/signIn/passkey", { passkey }, { headers })).toMatchObject({ status: 409 });
    expect((await person.open("/user/sign-in")).text).not.toContain("data-passkey");
  });

  it("takes its name from baseUrl, not from the header Host", async () => {
    const { browser } = await start({ baseUrl: "https://telex.example" });
    const headers = { "content-type": "application/json", host: "evil.example", "x-forwarded-host": "evil.example" };
    expect(await browser().post("/account/signIn/options", {}, { headers })).toMatchObject({
      data: { rpId: "telex.example" },
    });
  });
});

const lies: readonly (readonly [string, Lie])[] = [
  ["for another origin", { origin: "https://evil.example" }],
  ["for the same host at another port", { origin: "http://localhost:1" }],
  ["for another server", { rpId: "evil.example" }],
  ["of a person who was not verified", { flags: 0x01 }],
  ["of nobody", { flags: 0 }],
  ["in a frame of another site", { crossOrigin: true }],
  ["for no challenge of this server", { challenge: Buffer.alloc(54).toString("base64url") }],
  ["for a short challenge", { challenge: "AAAA" }],
];

describe("a forged signature", () => {
  const signed: readonly (readonly [string, Lie])[] = [
    ...lies,
    ["that makes a passkey", { type: "webauthn.create" }],
    ["of another key", { signature: Buffer.alloc(70, 1) }],
    ["of a passkey that is not there", { id: Buffer.alloc(32, 7).toString("base64url") }],
    ["with a false backup", { flags: 0x15 }],
  ];

  it.each(signed)("%s opens nothing", async (_name, lie) => {
    const { browser, authenticator } = await setup();
    const person = browser();
    expect(await signIn(person, authenticator, lie)).toMatchObject(refused);
    expect(person.cookie).toBe("");
    expect((await signIn(person, authenticator)).status).toBe(200);
  });

  it("of a stranger for the passkey of another person opens nothing", async () => {
    const { browser, authenticator, url } = await setup();
    const stranger = new Authenticator(url);
    expect(await signIn(browser(), stranger, { id: authenticator.id })).toMatchObject(refused);
  });

  it("from a page of another site signs nobody in", async () => {
    const { browser, authenticator } = await setup();
    const options = await optionsOf(browser());
    const headers = { origin: "https://evil.example", "content-type": "application/json" };
    const answer = await browser().post(
      "/account/signIn/passkey",
      { passkey: authenticator.use(options) },
      { headers },
    );
    expect(answer).toMatchObject({ status: 403, error: "cross_origin" });
  });
});

const nested = new Uint8Array(6000).fill(0x81);
const endless = Uint8Array.of(0x9b, 0, 0x1f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff);

describe("a forged passkey", () => {
  const made: readonly (readonly [string, Lie])[] = [
    ...lies,
    ["that signs in", { type: "webauthn.get" }],
    ["with the id of another one", { id: Buffer.alloc(32, 7).toString("base64url") }],
    ["that is not CBOR", { attestationObject: Uint8Array.of(0xff, 0, 1) }],
    ["that is empty CBOR", { attestationObject: Uint8Array.of(0xa0) }],
    ["that is deep", { attestationObject: nested }],
    ["that promises more than it has", { attestationObject: endless }],
  ];

  it.each(made)("%s is not added", async (_name, lie) => {
    const { carol, url } = await setup();
    expect(await add(carol.browser, new Authenticator(url), lie)).toMatchObject(refused);
    expect(await carol.browser.get("/account")).toMatchObject({ data: { passkeys: 1 } });
  });

  it("is refused before it is read if it is too large", async () => {
    const { carol, url } = await setup();
    const lie = { attestationObject: new Uint8Array(8000) };
    expect(await add(carol.browser, new Authenticator(url), lie)).toMatchObject(refused);
    const huge = { attestationObject: new Uint8Array(500_000) };
    expect(await add(carol.browser, new Authenticator(url), huge)).toMatchObject({ status: 413 });
  });

  it("needs no statement: certificates of a stranger are not looked at", async () => {
    const { carol, url } = await setup();
    const statement = new Map<string, Uint8Array | number>([
      ["alg", -7],
      ["sig", new Uint8Array(70)],
      ["x5c", new Uint8Array(500)],
    ]);
    expect(await add(carol.browser, new Authenticator(url), { attestation: ["packed", statement] })).toMatchObject({
      status: 200,
    });
  });

  it("of another account is taken already, for adding and for opening", async () => {
    const { browser, authenticator, member, invite } = await setup();
    const bob = await member("bob");
    expect(await add(bob.browser, authenticator)).toMatchObject(refused);
    const secret = await invite();
    const options = await optionsOf(browser(), "/account/open/options", { username: "dave", secret });
    const body = { secret, username: "dave", passkey: authenticator.create(options) };
    expect(await browser().post("/account/join", body)).toMatchObject(refused);
    expect(
      (await browser().post("/account/join", { secret, username: "dave", password: "a long password" })).status,
    ).toBe(200);
  });
});

describe("a challenge", () => {
  it("signs in once: of simultaneous callers at two servers, one comes in", async () => {
    const server = await setup();
    const { browser, authenticator, url } = server;
    const other = await start({ baseUrl: url }, { ...here, beside: server });
    const passkey = authenticator.use(await optionsOf(other.browser()));
    const headers = { origin: url, "content-type": "application/json" };
    const callers = [browser(), other.browser(), browser(), other.browser(), browser(), other.browser()];
    const answers = await Promise.all(
      callers.map((one) => one.post("/account/signIn/passkey", { passkey }, { headers })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400, 400, 400, 400]);
    expect((await browser().post("/account/signIn/passkey", { passkey })).status).toBe(400);
  });

  it("adds one passkey, also after that was removed", async () => {
    const { carol, url } = await setup();
    const one = new Authenticator(url);
    const passkey = one.create(await optionsOf(carol.browser, "/account/passkeys/options"));
    expect((await carol.browser.post("/account/passkeys", { passkey })).status).toBe(200);
    expect((await carol.browser.delete(`/account/passkeys/${one.id}`)).status).toBe(200);
    expect(await carol.browser.post("/account/passkeys", { passkey })).toMatchObject(refused);
  });

  it("ends after 10 minutes", async () => {
    const { browser, clock, authenticator } = await setup();
    const options = await optionsOf(browser());
    await clock.advance(599_999);
    expect((await browser().post("/account/signIn/passkey", { passkey: authenticator.use(options) })).status).toBe(200);
    const late = await optionsOf(browser());
    await clock.advance(600_000);
    const answer = await browser().post("/account/signIn/passkey", { passkey: authenticator.use(late) });
    expect(answer).toMatchObject(refused);
    expect(answer.text).toContain("too long ago");
  });

  it("works for what it was made for only", async () => {
    const { browser, carol, authenticator, invite, url } = await setup();
    const other = browser();
    await other.post("/account/signIn", { username: "carol", password: carol.password });
    const forSignIn = await optionsOf(browser());
    const forConfirm = await optionsOf(carol.browser, "/account/confirm/options");
    const confirm = (one: Browser, options: unknown) =>
      one.post("/account/confirm", { passkey: authenticator.use(options) });
    expect(await confirm(carol.browser, forSignIn)).toMatchObject(refused);
    expect(await confirm(other, forConfirm)).toMatchObject(refused);
    const asSignIn = { passkey: authenticator.use(forConfirm) };
    expect(await browser().post("/account/signIn/passkey", asSignIn)).toMatchObject(refused);
    expect(await confirm(carol.browser, forConfirm)).toMatchObject({ status: 200 });
    const [one, two] = [await invite(), await invite()];
    const forOne = await optionsOf(browser(), "/account/open/options", { username: "dave", secret: one });
    const passkey = new Authenticator(url).create(forOne);
    expect(await browser().post("/account/join", { secret: two, username: "dave", passkey })).toMatchObject(refused);
    expect(await carol.browser.post("/account/passkeys", { passkey })).toMatchObject(refused);
    expect(await browser().post("/account/join", { secret: one, username: "dave", passkey })).toMatchObject({
      status: 200,
    });
  });

  it("confirms only the person who is signed in", async () => {
    const { authenticator, member, url } = await setup();
    const bob = await member("bob");
    await add(bob.browser, new Authenticator(url));
    const options = await optionsOf(bob.browser, "/account/confirm/options");
    const answer = await bob.browser.post("/account/confirm", { passkey: authenticator.use(options) });
    expect(answer).toMatchObject({ status: 403, error: "not_confirmed" });
  });

  it("costs the server no memory: strangers who only ask leave nothing in the storage", async () => {
    const { browser, storage, clock } = await setup();
    await storage.grants.sweepGrants({ now: clock.now() + 3_600_000, limit: 1000 });
    for (let round = 0; round < 20; round += 1) await optionsOf(browser());
    expect(await storage.grants.sweepGrants({ now: clock.now() + 3_600_000, limit: 1000 })).toBe(0);
  });
});

describe("a copied passkey", () => {
  it("that is behind in its count of signatures is refused, and the log says so", async () => {
    const { browser, authenticator, log } = await setup();
    const use = async (counter: number) => (await signIn(browser(), authenticator, { counter })).status;
    expect([await use(5), await use(6)]).toEqual([200, 200]);
    expect([await use(6), await use(3), await use(0)]).toEqual([400, 400, 400]);
    expect(log.security.some((line) => line.includes("account.refused"))).toBe(true);
    expect(await use(7)).toBe(200);
  });
});

describe("wrong passwords", () => {
  it("do not stop passkeys", async () => {
    const { browser, authenticator } = await setup();
    for (let guess = 0; guess < 12; guess += 1)
      await browser().post("/account/signIn", { username: "carol", password: "wrong password" });
    expect((await browser().post("/account/signIn", { username: "carol", password: "carol's password" })).status).toBe(
      429,
    );
    expect((await signIn(browser(), authenticator)).status).toBe(200);
  });
});
