import { operator } from "@telex/core";
import { describe, expect, it } from "vitest";
import { secretOf, start, textOf } from "./server.ts";

const carol = { username: "Carol", nickname: "Carol Baker", password: "a long password" };

describe("the set-up link", () => {
  it("makes one admin, who is signed in", async () => {
    const { auth, browser } = await start();
    const link = await auth.services.setup.make("one");
    const person = browser();
    const opened = await person.post("/account/setup", { secret: secretOf(link?.url ?? ""), ...carol });
    expect(opened).toMatchObject({ status: 200, data: { username: "Carol", nickname: "Carol Baker", role: "admin" } });
    expect(await person.get("/account")).toMatchObject({ status: 200, data: { username: "Carol", password: true } });
    expect(await person.get("/admin/users")).toMatchObject({ status: 200 });
    expect(await auth.services.setup.make("one")).toBeNull();
  });

  it("of several servers and several callers gives one admin", async () => {
    const { auth, browser, storage } = await start();
    const links = await Promise.all(["one", "two", "three"].map((name) => auth.services.setup.make(name)));
    const calls = Array.from({ length: 12 }, (_, index) => {
      const secret = secretOf(links[index % 3]?.url ?? "");
      return browser().post("/account/setup", { secret, username: `user${index}`, password: "a long password" });
    });
    const answers = await Promise.all(calls);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.flatMap(({ status, error }) => (status === 200 ? [] : [error])))).toEqual(
      new Set(["link_ended"]),
    );
    expect(await storage.accounts.listAccounts({ after: 0, limit: 10 })).toHaveLength(1);
  });

  it("ends with a new start of its server, and after 24 hours", async () => {
    const { auth, browser, clock } = await start();
    const former = await auth.services.setup.make("one");
    const latter = await auth.services.setup.make("one");
    const use = (url = "") => browser().post("/account/setup", { secret: secretOf(url), ...carol });
    expect(await use(former?.url)).toMatchObject({ status: 410, error: "link_ended" });
    await clock.advance(24 * 3_600_000);
    expect(await use(latter?.url)).toMatchObject({ status: 410, error: "link_ended" });
  });

  it("is not made where there are users", async () => {
    const { auth, person } = await start();
    await person("Alice");
    expect(await auth.services.setup.make("one")).toBeNull();
  });
});

describe("an invitation", () => {
  it("opens an account in its rooms", async () => {
    const { browser, invite, room, telex } = await start();
    const groupId = await room();
    const person = browser();
    const joined = await person.post("/account/join", { secret: await invite([groupId]), ...carol });
    expect(joined).toMatchObject({ status: 200, data: { nickname: "Carol Baker", role: null, state: "active" } });
    const sent = await person.post("/im/sendGroupMessage", { groupId, groupType: 1, message: "hello" });
    expect(sent.status).toBe(200);
    const members = await telex.operator.groups.members(operator, { groupId });
    expect(members.map(({ nickname }) => nickname)).toEqual(["Carol Baker"]);
  });

  it("of one use gives one account to simultaneous callers", async () => {
    const { browser, invite, storage } = await start();
    const secret = await invite();
    const join = (index: number) =>
      browser().post("/account/join", { secret, username: `user${index}`, password: "a long password" });
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => join(index)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await storage.accounts.listAccounts({ after: 0, limit: 20 })).toHaveLength(1);
  });

  it("is answered alike if it is unknown, used, expired, revoked, or its maker is no admin any more", async () => {
    const { telex, browser, invite, member, clock } = await start();
    const admin = await member("boss", "admin");
    await member("other", "admin");
    const used = await invite();
    await browser().post("/account/join", { secret: used, ...carol, username: "first" });
    const expired = await invite();
    await clock.advance(7 * 24 * 3_600_000);
    await admin.browser.post("/account/signIn", { username: "boss", password: admin.password });
    const revoked = await admin.browser.post("/admin/invitations");
    expect((await admin.browser.delete(`/admin/invitations/${textOf(revoked, "id")}`)).status).toBe(200);
    const ofDemoted = secretOf(textOf(await admin.browser.post("/admin/invitations"), "url"));
    await telex.operator.users.amend(operator, { id: admin.id, role: null });
    const secrets = ["", "x", `tlxl_${"0".repeat(40)}`, used, expired, secretOf(textOf(revoked, "url")), ofDemoted];
    for (const secret of secrets) {
      const answer = await browser().post("/account/join", { secret, ...carol });
      expect(answer).toMatchObject({ status: 410, error: "link_ended" });
      expect(answer.text).toBe((await browser().post("/account/join", { secret: "x", ...carol })).text);
    }
  });

  it("ends with its maker, who is suspended, demoted or removed", async () => {
    const { telex, browser, member, room } = await start();
    await member("boss", "admin");
    const groupId = await room();
    const { users } = telex.operator;
    const ends = {
      suspended: async (id: number) => await users.amend(operator, { id, state: "suspended" }),
      demoted: async (id: number) => await users.amend(operator, { id, role: null }),
      removed: async (id: number) => await users.remove(operator, { id }),
    };
    for (const [name, end] of Object.entries(ends)) {
      const maker = await member(name, "admin");
      const made = await maker.browser.post("/admin/invitations", { groups: [groupId], uses: 5 });
      const secret = secretOf(textOf(made, "url"));
      await end(maker.id);
      const joined = await browser().post("/account/join", { secret, ...carol });
      expect([name, joined]).toMatchObject([name, { status: 410, error: "link_ended" }]);
    }
    expect(await telex.operator.groups.members(operator, { groupId })).toEqual([]);
  });

  it("tells at most 20 times that a username is taken", async () => {
    const { browser, invite, member } = await start();
    await member("carol");
    const secret = await invite();
    const statuses: number[] = [];
    for (let round = 0; round < 22; round += 1)
      statuses.push((await browser().post("/account/join", { secret, ...carol })).status);
    expect(statuses).toEqual([...Array<number>(20).fill(409), 410, 410]);
  });

  it("opens a room with an ID of the operator's, but no private chat", async () => {
    const { auth, telex } = await start();
    const add = async (groupType: 1 | 2, ext: string) =>
      await telex.operator.groups.add(operator, { groupType, name: "Q", members: [], ext });
    const [room, chat] = [await add(1, "teahouse"), await add(2, "chat")];
    const invite = (groupId: number) => auth.services.invitations.make(null, { groups: [groupId] });
    expect(await invite(room.groupId)).toMatchObject({ url: expect.stringContaining("#tlxl_") as unknown });
    await expect(invite(chat.groupId)).rejects.toMatchObject({ code: "invalid_request" });
  });

  it("opens nothing in a room of an external network, and none where registration is closed", async () => {
    const { auth, telex } = await start();
    const room = await telex.operator.groups.add(operator, { groupType: 0, name: "Q", members: [], ext: "77" });
    const made = auth.services.invitations.make(null, { groups: [room.groupId] });
    await expect(made).rejects.toMatchObject({ code: "invalid_request" });
    const closed = await start({ registration: "closed" });
    await expect(closed.auth.services.invitations.make(null, { groups: [] })).rejects.toMatchObject({
      code: "registration_closed",
    });
  });
});

describe("open registration", () => {
  it("opens accounts, and only where the server says so", async () => {
    const open = await start({ registration: "open" });
    expect(await open.browser().post("/account/register", carol)).toMatchObject({ status: 200, data: { role: null } });
    expect(await open.browser().post("/account/register", carol)).toMatchObject({
      status: 409,
      error: "username_taken",
    });
    const invited = await start();
    expect(await invited.browser().post("/account/register", carol)).toMatchObject({
      status: 403,
      error: "registration_closed",
    });
  });

  it.each([
    [{ username: "a" }, "invalid_request"],
    [{ username: "a b" }, "invalid_request"],
    [{ username: "a@b" }, "invalid_request"],
    [{ password: "short" }, "weak_password"],
    [{ password: "password123" }, "weak_password"],
    [{ password: "carolbaker", username: "CarolBaker" }, "weak_password"],
  ])("refuses %j", async (change, error) => {
    const { browser } = await start({ registration: "open" });
    expect(await browser().post("/account/register", { ...carol, ...change })).toMatchObject({ status: 400, error });
  });
});

describe("signing in", () => {
  it("compares usernames and passwords as RFC 8265 says", async () => {
    const { browser, invite } = await start();
    await browser().post("/account/join", {
      secret: await invite(),
      username: "R\u00e9mi",
      password: "caf\u00e9 au lait",
    });
    const again = { username: "\uff32e\u0301mi", password: "cafe\u0301\u00a0au\u2003lait" };
    expect(await browser().post("/account/signIn", again)).toMatchObject({
      status: 200,
      data: { username: "R\u00e9mi" },
    });
  });

  it("lasts 12 hours without use, and 30 days if the person stays", async () => {
    const { browser, clock, member } = await start();
    await member("carol");
    const tab = browser();
    const stays = browser();
    const credentials = { username: "carol", password: "carol's password" };
    const short = await tab.post("/account/signIn", credentials);
    const long = await stays.post("/account/signIn", { ...credentials, stay: true });
    expect(short.headers.get("set-cookie")).not.toContain("Max-Age");
    expect(long.headers.get("set-cookie")).toContain("; Max-Age=2592000");
    await clock.advance(11 * 3_600_000);
    expect((await tab.get("/account")).status).toBe(200);
    await clock.advance(11 * 3_600_000);
    expect((await tab.get("/account")).status).toBe(200);
    await clock.advance(12 * 3_600_000);
    expect((await tab.get("/account")).status).toBe(401);
    expect((await stays.get("/account")).status).toBe(200);
    for (let days = 0; days < 175; days += 25) {
      await clock.advance(25 * 24 * 3_600_000);
      expect((await stays.get("/account")).status).toBe(200);
    }
    await clock.advance(6 * 24 * 3_600_000);
    expect((await stays.get("/account")).status).toBe(401);
  });

  it("ends with signing out, and the cookie is removed", async () => {
    const { member } = await start();
    const { browser: carolsBrowser } = await member("carol");
    const { cookie } = carolsBrowser;
    const left = await carolsBrowser.post("/account/signOut");
    expect(left.headers.get("set-cookie")).toContain("Max-Age=0");
    carolsBrowser.cookie = cookie;
    expect((await carolsBrowser.get("/account")).status).toBe(401);
  });
});
