import { operator } from "@telex/core";
import { describe, expect, it } from "vitest";
import type { Person } from "./identity-provider.ts";
import { dataOf, startWithProvider } from "./provider-scene.ts";
import { secretOf } from "./server.ts";
import { Visitor } from "./visitor.ts";

/** An account with a username. */
const named = (username: string) => ({ username });

describe("signing in with another provider", () => {
  it("is offered on the pages, opens an account from the claims, and finds it again", async () => {
    const { signIn, account, at, telex } = await startWithProvider();
    for (const path of ["/user/sign-in", "/user/register"])
      expect((await new Visitor().ask(at(path))).text).toContain("Continue with Example ID");
    const first = await signIn();
    expect(first.seen).toMatchObject({ status: 303 });
    expect(dataOf(await account(first.visitor))).toMatchObject({
      username: "Alice",
      nickname: "Alice Archer",
      role: null,
      password: false,
    });
    const again = await signIn();
    expect(dataOf(await account(again.visitor))).toEqual(dataOf(await account(first.visitor)));
    expect(await telex.operator.users.list(operator, { limit: 10 })).toHaveLength(1);
  });

  it("leads to a local page, and nowhere else", async () => {
    const { provider, leave, at } = await startWithProvider();
    const ends = async (to: string) => {
      const visitor = new Visitor();
      const isEnough = (next: string): boolean => !next.startsWith(provider.url) && !next.includes("/user/providers/");
      const seen = await provider.pass(visitor, await leave(visitor, "enter", { to }), "sub-alice", isEnough);
      return Visitor.next(seen);
    };
    expect(await ends("/user/device?user_code=ABCD")).toBe(at("/user/device?user_code=ABCD"));
    expect(await ends("https://evil.example/")).toBe(at("/user/"));
    expect(await ends("//evil.example")).toBe(at("/user/"));
  });

  it("never joins an account by its name or its address: the new one gets another username", async () => {
    const { signIn, account, member, people } = await startWithProvider();
    const { id } = await member("alice");
    const { visitor } = await signIn();
    const opened = dataOf(await account(visitor));
    expect(opened).toMatchObject(named("Alice-2"));
    expect(opened).not.toMatchObject({ id });
    people.set("sub-bad", { preferred_username: "x\u202e", name: "\u0000", email: "坏 人@a.example" });
    expect(dataOf(await account((await signIn("sub-bad")).visitor))).toMatchObject(named("坏-人"));
    people.set("sub-none", {});
    expect(dataOf(await account((await signIn("sub-none")).visitor))).toMatchObject(named("guest"));
  });

  it("opens no account without an invitation, and one with it, in its rooms", async () => {
    const { signIn, account, invite, room, at, telex } = await startWithProvider({ registration: "invited" });
    const refused = await signIn();
    expect(refused.seen.status).toBe(403);
    expect(refused.seen.text).toContain("No account here belongs to your account at Example ID.");
    expect((await account(refused.visitor)).status).toBe(401);
    const groupId = await room();
    const secret = await invite([groupId]);
    const shown = await new Visitor().ask(at("/user/join"), { form: { secret } });
    expect(shown.text).toContain("Continue with Example ID");
    const { visitor } = await signIn("sub-alice", new Visitor(), "join", { secret });
    expect(dataOf(await account(visitor))).toMatchObject(named("Alice"));
    expect(await telex.operator.groups.members(operator, { groupId })).toHaveLength(1);
    const other = await signIn("sub-bob", new Visitor(), "join", { secret });
    expect(other.seen).toMatchObject({ status: 410 });
  });

  it("takes no one where registration is closed, with an invitation of earlier either", async () => {
    const { signIn, at, invite } = await startWithProvider({ registration: "invited" });
    const secret = await invite();
    const closed = await startWithProvider({ registration: "closed" });
    expect((await closed.signIn()).seen.status).toBe(403);
    expect((await closed.leave(new Visitor(), "join", { secret })).status).toBe(403);
    expect((await signIn("sub-alice", new Visitor(), "join", { secret })).seen.headers.get("location")).toBe("/user/");
    expect(at("")).not.toBe(closed.at(""));
  });

  it("opens the account of the first admin with the set-up link, once", async () => {
    const { signIn, account, auth } = await startWithProvider({ registration: "invited" });
    const secret = secretOf((await auth.services.setup.make("one"))?.url ?? "");
    const { visitor } = await signIn("sub-alice", new Visitor(), "setup", { secret });
    expect(dataOf(await account(visitor))).toMatchObject({ role: "admin" });
    expect((await signIn("sub-bob", new Visitor(), "setup", { secret })).seen.status).toBe(410);
  });

  it("gives one account to simultaneous first sign-ins of one identity", async () => {
    const { signIn, account, telex, invite } = await startWithProvider({ registration: "invited" });
    const secret = await invite();
    const all = await Promise.all(
      Array.from({ length: 5 }, () => signIn("sub-alice", new Visitor(), "join", { secret })),
    );
    const seen = await Promise.all(all.map(async ({ visitor }) => dataOf(await account(visitor))));
    expect(new Set(seen.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(seen[0]).toMatchObject(named("Alice"));
    expect(await telex.operator.users.list(operator, { limit: 10 })).toHaveLength(1);
  });

  it("refuses a suspended person", async () => {
    const { signIn, account, telex } = await startWithProvider();
    const { visitor } = await signIn();
    const id = Number(Reflect.get(Object(dataOf(await account(visitor))), "id"));
    await telex.operator.users.amend(operator, { id, state: "suspended" });
    const again = await signIn();
    expect(again.seen.status).toBe(403);
    expect(again.seen.text).toContain("suspended");
    expect((await account(again.visitor)).status).toBe(401);
  });

  it("says that the person refused at the provider", async () => {
    const { leave, provider, at } = await startWithProvider();
    const visitor = new Visitor();
    const asked = new URL(Visitor.next(await leave(visitor)) ?? "").searchParams;
    const answer = new URLSearchParams({ error: "access_denied", state: asked.get("state") ?? "", iss: provider.url });
    const seen = await visitor.ask(at(`/user/providers/example?${answer.toString()}`), {}, provider.url);
    expect(seen.status).toBe(403);
    expect(seen.text).toContain("did not sign you in");
  });
});

describe("who may enter", () => {
  it("is a matter of verified domains and of groups, asked at each sign-in", async () => {
    const { signIn, people } = await startWithProvider({}, { domains: ["a.example"], groups: ["staff"] });
    const alice = { email: "alice@A.example", email_verified: true, groups: ["staff", "x"] };
    const status = async (person: Person): Promise<number> => {
      people.set("sub-alice", person);
      return (await signIn()).seen.status;
    };
    expect(await status(alice)).toBe(303);
    expect(await status({ ...alice, groups: ["x"] })).toBe(403);
    expect(await status({ ...alice, groups: undefined })).toBe(403);
    expect(await status({ ...alice, email: "alice@b.example" })).toBe(403);
    expect(await status({ ...alice, email: "alice@a.example@b.example" })).toBe(403);
    expect(await status({ ...alice, email_verified: "true" })).toBe(403);
    expect(await status({ ...alice, groups: "staff" })).toBe(303);
  });

  it("the group of admins gives the role at the next sign-in and takes it, except from the last active admin", async () => {
    const { signIn, account, people, member } = await startWithProvider({}, { adminGroup: "admins" });
    const role = async (groups: readonly string[]): Promise<unknown> => {
      people.set("sub-alice", { preferred_username: "alice", groups });
      return Reflect.get(Object(dataOf(await account((await signIn()).visitor))), "role");
    };
    expect(await role([])).toBeNull();
    expect(await role(["admins"])).toBe("admin");
    expect(await role([])).toBe("admin");
    await member("bob", "admin");
    expect(await role([])).toBeNull();
  });

  it("roles that people here gave stay where no group is set", async () => {
    const { signIn, account, telex } = await startWithProvider();
    const { visitor } = await signIn();
    const id = Number(Reflect.get(Object(dataOf(await account(visitor))), "id"));
    await telex.operator.users.amend(operator, { id, role: "admin" });
    expect(dataOf(await account((await signIn()).visitor))).toMatchObject({ role: "admin" });
  });
});
