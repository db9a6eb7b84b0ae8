import { beforeEach, describe, expect, it } from "vitest";
import { api, dataOf, startWithProvider } from "./provider-scene.ts";
import { type Seen, Visitor } from "./visitor.ts";

describe("identities of an account", () => {
  type Context = Awaited<ReturnType<typeof startWithProvider>>;
  let context: Context;
  beforeEach(async () => {
    context = await startWithProvider();
  });

  /** A visitor who is signed in with a password. */
  const enter = async (username: string): Promise<Visitor> => {
    const { at, invite } = context;
    const visitor = new Visitor();
    const json = { secret: await invite(), username, password: `${username}'s password` };
    await visitor.ask(at(`${api}/account/join`), { json });
    return visitor;
  };

  /** Links an identity. */
  const link = async (visitor: Visitor, sub: string): Promise<Seen> => {
    const { at, provider } = context;
    const begun = await visitor.ask(at(`${api}/account/identities`), { json: { provider: "example" } });
    if (begun.status !== 200) return begun;
    const url = String(Reflect.get(Object(dataOf(begun)), "redirectTo"));
    const isEnough = (next: string): boolean => next === at("/user/account");
    return await provider.pass(visitor, await visitor.ask(url), sub, isEnough);
  };

  const identities = async (visitor: Visitor): Promise<unknown> =>
    dataOf(await visitor.ask(context.at(`${api}/account/identities`)));

  const unlink = async (visitor: Visitor): Promise<Seen> =>
    await visitor.ask(`${context.at(`${api}/account/identities`)}?issuer=${encodeURIComponent(context.provider.url)}`, {
      method: "DELETE",
    });

  it("are linked by their owner, who then signs in with them, and unlinked except for the last way", async () => {
    const { account, signIn } = context;
    const visitor = await enter("bob");
    expect(Visitor.next(await link(visitor, "sub-alice"))).toBe(context.at("/user/account"));
    expect(await identities(visitor)).toMatchObject({
      list: [{ issuer: context.provider.url, provider: "Example ID", name: "alice@a.example" }],
      providers: [{ id: "example", name: "Example ID" }],
    });
    expect(dataOf(await account((await signIn()).visitor))).toMatchObject({ username: "bob" });
    const password = context.at(`${api}/account/password`);
    expect((await visitor.ask(password, { method: "DELETE" })).status).toBe(200);
    expect((await unlink(visitor)).text).toContain('"last_way"');
    await visitor.ask(password, { json: { password: "another long password" } });
    expect((await unlink(visitor)).status).toBe(200);
    expect(await identities(visitor)).toMatchObject({ list: [] });
    expect((await unlink(visitor)).text).toContain('"not_found"');
  });

  it("belong to one account, which has one of each provider", async () => {
    const [bob, carol] = [await enter("bob"), await enter("carol")];
    await link(bob, "sub-alice");
    const taken = await link(carol, "sub-alice");
    expect(taken.status).toBe(409);
    expect(taken.text).toContain("belongs to another account here");
    bob.jar(context.provider.url).clear();
    expect((await link(bob, "sub-other")).text).toContain("Unlink that one first");
  });

  it("are changed only soon after the person has confirmed, with the password or with the provider", async () => {
    const { clock, at, provider, signIn } = context;
    const bob = await enter("bob");
    await link(bob, "sub-alice");
    await clock.advance(601_000);
    expect((await link(bob, "sub-alice")).text).toContain('"not_confirmed"');
    expect((await unlink(bob)).text).toContain('"not_confirmed"');
    const { seen } = await signIn("sub-alice", bob, "confirm", { to: "/user/account" });
    expect(Visitor.next(seen)).toBe(at("/user/account"));
    expect((await unlink(bob)).status).toBe(200);
    const carol = await enter("carol");
    carol.jar(provider.url).clear();
    expect((await signIn("sub-other", carol, "confirm")).seen.text).toContain("Someone else");
  });

  it("are linked to the person who began only", async () => {
    const { at, provider } = context;
    const bob = await enter("bob");
    const begun = await bob.ask(at(`${api}/account/identities`), { json: { provider: "example" } });
    const url = String(Reflect.get(Object(dataOf(begun)), "redirectTo"));
    const carol = await enter("carol");
    for (const [name, value] of carol.jar(at(""))) if (!name.includes("flow")) bob.jar(at("")).set(name, value);
    const seen = await provider.pass(bob, await bob.ask(url), "sub-alice");
    expect(seen.text).toContain("Someone else is signed in now");
    expect(await identities(carol)).toMatchObject({ list: [] });
  });
});
