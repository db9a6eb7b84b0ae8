import { operator } from "@telex/core";
import { describe, expect, it } from "vitest";
import { createAccountClient } from "../src/client.ts";
import { type Browser, secretOf, start, textOf } from "./server.ts";

/** The typed client of accounts in a browser. */
const clientOf = (browser: Browser) =>
  createAccountClient({
    url: browser.url,
    fetch: async (request) => {
      const headers = new Headers(request.headers);
      headers.set("origin", browser.url);
      headers.set("cookie", browser.cookie);
      return await fetch(new Request(request, { headers }));
    },
  });

describe("an admin", () => {
  it("lists the browsers of a person, and ends one or all of them", async () => {
    const { browser, member } = await start();
    const admin = clientOf((await member("boss", "admin")).browser).admin;
    const carol = await member("carol");
    const second = browser();
    await second.post("/account/signIn", { username: "carol", password: carol.password });
    const { list } = await admin.sessions({ id: carol.id });
    expect(list.map(({ current }) => current)).toEqual([false, false]);
    expect(await admin.endSessions({ id: carol.id, session: list[0]?.id })).toEqual({ ended: 1 });
    await expect(admin.endSessions({ id: carol.id, session: list[0]?.id })).rejects.toMatchObject({
      code: "not_found",
    });
    expect(await admin.endSessions({ id: carol.id })).toEqual({ ended: 1 });
    expect((await carol.browser.get("/account")).status).toBe(401);
    await expect(admin.sessions({ id: 4711 })).rejects.toMatchObject({ code: "user_not_found" });
  });

  it("lists the accounts with usernames and roles, and shows one", async () => {
    const { member, person } = await start();
    const boss = await member("boss", "admin");
    const admin = clientOf(boss.browser).admin;
    const without = await person("Nobody");
    const carol = await member("carol");
    const [first, second] = [
      { id: boss.id, username: "boss", role: "admin" },
      { id: carol.id, username: "carol", role: null },
    ];
    expect(await admin.accounts({})).toEqual([first, second]);
    expect(await admin.accounts({ limit: 1 })).toEqual([first]);
    expect(await admin.accounts({ after: boss.id })).toEqual([second]);
    expect(await admin.account({ id: carol.id })).toEqual(second);
    await expect(admin.account({ id: without.id })).rejects.toMatchObject({ code: "user_not_found" });
    await expect(clientOf(carol.browser).admin.accounts({})).rejects.toMatchObject({ status: 403 });
  });

  it("unlinks an identity, but not the last way to sign in", async () => {
    const other = { id: "other", issuer: "https://other.example", clientId: "telex", name: "Other ID" };
    const { member, storage } = await start({ providers: [other] });
    const admin = clientOf((await member("boss", "admin")).browser).admin;
    const { id } = await member("carol");
    const link = async (change: object) => {
      const account = await storage.accounts.findAccount({ userId: id });
      await storage.accounts.amendAccount({ userId: id, rev: account?.rev ?? 0, change });
    };
    const identity = { issuer: "https://id.example", subject: "1", name: "carol", createdAt: 1 };
    await link({ identities: [identity], passwordHash: null });
    const unlink = (issuer = identity.issuer) => admin.unlink({ id, issuer });
    await expect(unlink()).rejects.toMatchObject({ code: "last_way" });
    await expect(unlink("https://other.example")).rejects.toMatchObject({ code: "not_found" });
    await link({ identities: [identity, { ...identity, issuer: "https://other.example" }] });
    await unlink();
    expect((await storage.accounts.findAccount({ userId: id }))?.identities).toMatchObject([
      { issuer: "https://other.example" },
    ]);
  });

  it("imports many people, who choose their passwords, and the same ones again without doubling any", async () => {
    const { browser, member, storage } = await start();
    const admin = clientOf((await member("boss", "admin")).browser).admin;
    await member("carol");
    const people = [
      { username: "dora", nickname: "Dora D." },
      { username: "emil" },
      { username: "carol" },
      { username: "a b" },
      { username: "EMIL" },
    ];
    const outcomes = async (isTrial: boolean) => (await admin.importPeople({ people, isTrial })).list;
    const expected = (first: string) => [first, first, "known", "username", "twice"];
    expect((await outcomes(true)).map(({ outcome }) => outcome)).toEqual(expected("new"));
    expect(await storage.accounts.findAccount({ usernameKey: "dora" })).toBeNull();
    const both = await Promise.all([outcomes(false), outcomes(false)]);
    for (const list of both) expect(list.filter(({ url }) => url !== null)).toHaveLength(2);
    const again = await outcomes(false);
    expect(again.map(({ outcome }) => outcome)).toEqual(expected("waiting"));
    expect(again[0]?.id).toBe(both[0][0]?.id);
    const secret = secretOf(again[0]?.url ?? "");
    const dora = browser();
    const entered = await dora.post("/account/recover", { secret, password: "a long password" });
    expect(entered).toMatchObject({ status: 200, data: { username: "dora", nickname: "Dora D." } });
    expect((await outcomes(false)).map(({ outcome }) => outcome)).toEqual([
      "known",
      "waiting",
      "known",
      "username",
      "twice",
    ]);
    const old = secretOf(both[0][0]?.url ?? "");
    expect((await browser().post("/account/recover", { secret: old, password: "a long password" })).status).toBe(410);
  });

  it("is the only person who invites, because rooms have no roles, and sees the invitations of all", async () => {
    const { member, room } = await start({ invitations: "members" });
    const groups = [await room()];
    const boss = clientOf((await member("boss", "admin")).browser);
    const carol = clientOf((await member("carol")).browser);
    await expect(carol.invite({ groups })).rejects.toMatchObject({ code: "not_allowed" });
    const made = await boss.invite({ groups, uses: 3 });
    expect(await boss.invitations({})).toMatchObject([{ id: made.id, uses: 3, used: 0, revoked: false }]);
    expect(await carol.invitations({})).toEqual([]);
    await expect(carol.revokeInvitation({ id: made.id })).rejects.toMatchObject({ code: "not_found" });
    expect(await boss.revokeInvitation({ id: made.id })).toBeNull();
    expect(await boss.admin.invitations({ limit: 10 })).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: made.id, revoked: true })]),
    );
  });
});

describe("an account", () => {
  it("says whether its person may invite: admins, and members where the server lets them", async () => {
    const mayInvite = async (options: Parameters<typeof start>[0]) => {
      const { member } = await start(options);
      const people = [await member("boss", "admin"), await member("carol")];
      return await Promise.all(people.map(async ({ browser }) => (await clientOf(browser).show({})).canInvite));
    };
    expect(await mayInvite({})).toEqual([true, false]);
    expect(await mayInvite({ invitations: "members" })).toEqual([true, true]);
  });
});

describe("the role of an account", () => {
  it("changes with users.amend, alone, and only of a user with an account", async () => {
    const { member, person } = await start();
    const { browser } = await member("boss", "admin");
    const carol = await member("carol");
    const { id } = await person("Alice");
    const amend = async (user: number, body: object) => await browser.patch(`/admin/users/${user}`, body);
    expect(await amend(id, { role: "admin" })).toMatchObject({ status: 400, error: "invalid_request" });
    expect((await amend(id, { role: "admin" })).text).toContain("a user with an account");
    expect(await amend(carol.id, { role: "admin", nickname: "C" })).toMatchObject({ status: 400 });
    expect(await amend(4711, { role: null })).toMatchObject({ status: 404, error: "user_not_found" });
    expect(await amend(carol.id, { role: "admin", force: true })).toMatchObject({ status: 403 });
    expect(await amend(carol.id, { role: "admin" })).toMatchObject({ status: 200 });
    expect(await carol.browser.get("/account")).toMatchObject({ data: { role: "admin" } });
  });

  it("stays with one of several admins who demote each other", async () => {
    const { member } = await start();
    const admins = [await member("one", "admin"), await member("two", "admin"), await member("three", "admin")];
    const answers = await Promise.all(
      admins.map(({ browser }, index) =>
        browser.patch(`/admin/users/${admins[(index + 1) % 3]?.id ?? 0}`, { role: null }),
      ),
    );
    const roles = await Promise.all(admins.map(async ({ browser }) => textOf(await browser.get("/account"), "role")));
    expect(roles.filter((role) => role === "admin").length).toBeGreaterThanOrEqual(1);
    expect(answers.some(({ status }) => status !== 200)).toBe(true);
  });
});

describe("the operator in the same process", () => {
  it("calls what admins call, with the same checks", async () => {
    const { auth, browser } = await start();
    const { url } = await auth.operations.invite({ nickname: "Carol" });
    const joined = await browser().post("/account/join", {
      secret: secretOf(url),
      username: "carol",
      password: "a long password",
    });
    expect(joined).toMatchObject({ status: 200, data: { nickname: "Carol" } });
    await expect(auth.operations.invite({ uses: 0 })).rejects.toMatchObject({ code: "invalid_request" });
  });
});

describe("a person who deletes the account", () => {
  it("is gone with sessions and devices; messages stay, and the username is not given again", async () => {
    const { browser, member, invite, room, telex, person, issue } = await start();
    const carol = await member("carol");
    const groupId = await room();
    await telex.operator.groups.amendMembers(operator, { groupId, add: [carol.id] });
    const sent = await carol.browser.post("/im/sendGroupMessage", { groupId, groupType: 1, message: "hello" });
    expect(sent.status).toBe(200);
    const reaction = { groupId, messageId: Number(textOf(sent, "messageId")), emoji: "🍵" };
    expect(await carol.browser.post("/im/react", reaction)).toMatchObject({ status: 200 });
    await carol.browser.post("/teleprinter/register", { deviceId: "printer", name: "Printer" });
    const token = textOf(await carol.browser.post("/tokens", { scopes: ["chat"] }), "token");
    expect(await carol.browser.open("/external/api/v1/account", { method: "DELETE", body: {} })).toMatchObject({
      status: 200,
    });
    expect(carol.browser.cookie).toBe("");
    expect((await browser().post("/account/signIn", { username: "carol", password: carol.password })).status).toBe(401);
    const headers = { authorization: `Bearer ${token}` };
    expect((await browser().get("/oauth2/userId", { headers })).status).toBe(401);
    const again = { secret: await invite(), username: "carol", password: "a long password" };
    expect(await browser().post("/account/join", again)).toMatchObject({ status: 409, error: "username_taken" });
    const reader = await person("Reader");
    await telex.operator.groups.amendMembers(operator, { groupId, add: [reader.id] });
    const bearer = { headers: { authorization: `Bearer ${await issue(reader, ["chat"])}` } };
    const history = await browser().get(`/im/getMessage?groupId=${groupId}&groupType=1&more=1`, bearer);
    expect(history.data).toMatchObject({ groupMessages: [{ nickname: "已注销用户", userId: String(carol.id) }] });
    expect(history.text).toContain("hello");
    const found = await browser().get("/im/search?q=hello", bearer);
    const rooms = await browser().get("/im/groups", bearer);
    for (const { text } of [history, found, rooms]) {
      expect(text).toContain('"nickname":"已注销用户"');
      expect(text).not.toContain("carol");
    }
    const next = await person("Dave");
    expect(next.id).toBeGreaterThan(carol.id);
  });

  it("shows the password if the sign-in is older than 10 minutes", async () => {
    const { member, clock } = await start();
    const { browser, password } = await member("carol");
    await clock.advance(600_000);
    const remove = (body: object) => browser.open("/external/api/v1/account", { method: "DELETE", body });
    expect(await remove({})).toMatchObject({ status: 403, error: "not_confirmed" });
    expect(await remove({ password: "wrong password" })).toMatchObject({ status: 403, error: "not_confirmed" });
    expect(await remove({ password })).toMatchObject({ status: 200 });
  });
});
