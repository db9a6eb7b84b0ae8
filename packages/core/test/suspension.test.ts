import { createMemoryBlobs } from "@telex/blobs/memory";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createMemoryStorage } from "@telex/storage-memory";
import { addAccount } from "test-support/accounts";
import { describe, expect, it } from "vitest";
import { anonymous, type Caller, createTelex, operator, type Storage } from "../src/index.ts";
import { createManualClock, ticks } from "@telex/conformance/testing";
import { createConnection, createKit, type KitOptions } from "./kit.ts";

const suspend = { id: 1, state: "suspended" } as const;
const resume = { id: 1, state: "active" } as const;

/** Two servers on one storage. Alice has user id 1. */
async function createServers(options: Omit<KitOptions, "clock"> = {}) {
  const clock = createManualClock();
  const storage = options.storage ?? createMemoryStorage({ clock });
  const kit = await createKit({ ...options, clock, storage });
  const blobs = createMemoryBlobs({ clock });
  const other = await createTelex({ storage, blobs, images: createSharpEngine(), clock, checkOutput: true });
  return { ...kit, storage, other };
}

function holderOf(caller: Caller) {
  if (caller.kind !== "token") throw new Error("The caller has a token.");
  return caller;
}

/** The token of an admin, and one for a device of Bob's that the admin has issued with it. */
async function issueAsAdmin({ telex }: Pick<Awaited<ReturnType<typeof createServers>>, "telex">) {
  const admin = await telex.operator.tokens.issue(operator, { userId: 1, scopes: ["admin"] });
  const caller = await telex.authenticate(admin.token);
  return await telex.operator.tokens.issue(holderOf(caller), { userId: 2, scopes: ["device:printer"] });
}

describe("a suspended user", () => {
  it("has no valid token on any server, and all of them again when resumed", async () => {
    const { telex, other, token, clock } = await createServers();
    expect(await other.authenticate(token)).toMatchObject({ userId: 1 });
    expect(await telex.operator.users.amend(operator, suspend)).toMatchObject({ id: 1, state: "suspended" });
    expect(await telex.authenticate(token)).toEqual(anonymous);
    await clock.advance(1000);
    expect(await other.authenticate(token)).toEqual(anonymous);
    await other.operator.users.amend(operator, resume);
    expect(await other.authenticate(token)).toMatchObject({ userId: 1 });
    await clock.advance(1000);
    expect(await telex.authenticate(token)).toMatchObject({ userId: 1 });
  });

  it("has no open connection on any server within a second, and can connect again when resumed", async () => {
    const { telex, other, alice, bob, clock } = await createServers();
    const [here, there, foreign] = [createConnection(alice), createConnection(alice), createConnection(bob)];
    telex.attach(here.connection);
    other.attach(there.connection);
    other.attach(foreign.connection);
    await telex.operator.users.amend(operator, suspend);
    expect(here.closed).toEqual(["token_ended"]);
    await clock.advance(1000);
    expect(there.closed).toEqual(["token_ended"]);
    await telex.operator.users.amend(operator, resume);
    await clock.advance(1000);
    for (const server of [telex, other]) {
      const again = createConnection(alice);
      server.attach(again.connection);
      expect(again.closed).toEqual([]);
    }
    expect(foreign.closed).toEqual([]);
  });

  it("gets no connection whose token was looked up before", async () => {
    const { telex, alice } = await createServers();
    await telex.operator.users.amend(operator, suspend);
    const late = createConnection(alice);
    telex.attach(late.connection);
    expect(late.closed).toEqual(["token_ended"]);
  });

  it("ends polls that wait on other servers, and gets no text from them", async () => {
    const { telex, other, alice, clock } = await createServers();
    await telex.teleprinter.register(alice, { deviceId: "printer", name: "Printer" });
    const poll = other.teleprinter.poll(alice, { deviceId: "printer", wait: 30 });
    const outcome = poll.then(
      () => "answered",
      (error: unknown) => error,
    );
    await ticks();
    await telex.operator.users.amend(operator, suspend);
    await clock.advance(1000);
    expect(await outcome).toMatchObject({ code: "invalid_token" });
  });

  it("takes the tokens along that were issued as an admin, and gives them back", async () => {
    const servers = await createServers();
    const { telex, other, clock } = servers;
    await telex.teleprinter.register(servers.bob, { deviceId: "printer", name: "Printer" });
    const { token } = await issueAsAdmin(servers);
    const device = createConnection(await other.authenticate(token));
    other.attach(device.connection);
    await telex.operator.users.amend(operator, suspend);
    await clock.advance(1000);
    expect(device.closed).toEqual(["token_ended"]);
    expect(await other.authenticate(token)).toEqual(anonymous);
    await telex.operator.users.amend(operator, resume);
    await clock.advance(1000);
    expect(await other.authenticate(token)).toMatchObject({ userId: 2 });
  });

  it("is refused also with a token of another verifier", async () => {
    const holder = { kind: "token", userId: 1, scopes: ["chat"], tokenId: null, expiresAt: null } as const;
    const tokens = { authenticate: async () => holder };
    const clock = createManualClock();
    const storage = createMemoryStorage({ clock });
    const images = createSharpEngine();
    const telex = await createTelex({ storage, blobs: createMemoryBlobs({ clock }), images, clock, tokens });
    await telex.operator.users.add(operator, { nickname: "Alice" });
    expect(await telex.authenticate("any")).toEqual(holder);
    await telex.operator.users.amend(operator, suspend);
    expect(await telex.authenticate("any")).toEqual(anonymous);
  });

  it("is not asked as a model, and reached by no framework", async () => {
    const { telex } = await createServers();
    await telex.operator.users.amend(operator, { id: 1, oneBot: {} });
    expect(await telex.oneBots(1)).toMatchObject([{ userId: 1 }]);
    await telex.operator.users.amend(operator, suspend);
    expect([await telex.oneBots(1), await telex.oneBots()]).toEqual([[], []]);
    await telex.operator.users.amend(operator, resume);
    expect(await telex.oneBots()).toMatchObject([{ userId: 1 }]);
  });

  it("loses the connections also where the storage was away when the change was seen", async () => {
    const clock = createManualClock();
    const memory = createMemoryStorage({ clock });
    let isAway = false;
    const users: Storage["users"] = {
      ...memory.users,
      findUsers: (userIds) => (isAway ? Promise.reject(new Error("away")) : memory.users.findUsers(userIds)),
    };
    const { telex, alice, lines } = await createKit({ clock, storage: { ...memory, users } });
    const open = createConnection(alice);
    telex.attach(open.connection);
    isAway = true;
    await memory.users.suspendUser(1, { suspended: true });
    await clock.advance(1000);
    expect(open.closed).toEqual([]);
    isAway = false;
    await clock.advance(1000);
    expect(open.closed).toEqual(["token_ended"]);
    expect(lines.filter((line) => line.includes("user.check_failed"))).toHaveLength(1);
  });
});

describe("suspending", () => {
  it("is a change of its own, and takes force from the operator only", async () => {
    const { telex, alice } = await createServers();
    const both = telex.operator.users.amend(operator, { ...suspend, nickname: "A" });
    await expect(both).rejects.toMatchObject({ code: "invalid_request", issues: [{ path: "state" }] });
    expect(await telex.operator.users.show(operator, { id: 1 })).toMatchObject({ nickname: "Alice", state: "active" });
    const admin = { ...holderOf(alice), scopes: ["admin"] };
    for (const change of [
      telex.operator.users.amend(admin, { id: 2, state: "suspended", force: true }),
      telex.operator.users.remove(admin, { id: 2, force: true }),
    ])
      await expect(change).rejects.toMatchObject({ code: "insufficient_scope" });
    await expect(telex.operator.users.amend(operator, { ...suspend, id: 99 })).rejects.toMatchObject({
      code: "user_not_found",
    });
  });

  it("and removing leave one active admin, unless the operator forces it", async () => {
    const { telex, storage } = await createServers();
    const [first, second] = [await addAccount(storage, "ada", "admin"), await addAccount(storage, "bea", "admin")];
    const { users } = telex.operator;
    const changes = await Promise.allSettled([
      users.amend(operator, { id: first, state: "suspended" }),
      users.remove(operator, { id: second }),
    ]);
    expect(changes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const last = changes[0].status === "rejected" ? first : second;
    await expect(users.remove(operator, { id: last })).rejects.toMatchObject({ code: "last_admin" });
    await expect(users.amend(operator, { id: last, state: "suspended" })).rejects.toMatchObject({ code: "last_admin" });
    expect(await users.remove(operator, { id: last, force: true })).toBeNull();
  });

  it("ends the sessions of the account, and resuming does not bring them back", async () => {
    const { telex, storage } = await createServers();
    const userId = await addAccount(storage, "ada", null);
    await storage.accounts.createSession(sessionOf(userId), { rev: 1, limit: 10 });
    await telex.operator.users.amend(operator, { id: userId, state: "suspended" });
    await telex.operator.users.amend(operator, { id: userId, state: "active" });
    expect(await storage.accounts.listSessions(userId, 2)).toEqual([]);
  });
});

const sessionOf = (userId: number) => ({
  sessionId: "s",
  digest: "d",
  userId,
  browser: "",
  address: "",
  stay: false,
  createdAt: 1,
  lastUsedAt: 1,
  until: 1000,
  absoluteUntil: 1000,
  confirmedAt: 1,
});
