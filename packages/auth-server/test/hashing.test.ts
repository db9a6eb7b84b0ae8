import { createHook } from "node:async_hooks";
import { availableParallelism } from "node:os";
import { operator } from "@telex/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { createPasswordHasher } from "../src/credentials/hashing.ts";
import { start } from "./server.ts";

const slots = Math.max(1, availableParallelism() - 1);

/** The types of the native tasks that Node begins for a hash. */
async function typesOfHash(verify: ReturnType<typeof createPasswordHasher>["verify"]): Promise<ReadonlySet<string>> {
  const types = new Set<string>();
  const hook = createHook({ init: (_id, type) => void types.add(type) }).enable();
  await verify(null, "shows what a hash is for Node");
  hook.disable();
  // Timers and sockets of the test runner may begin at the same time.
  for (const other of ["PROMISE", "Timeout", "Immediate", "TickObject", "Microtask"]) types.delete(other);
  return types;
}

/** Follows the native tasks in which passwords are hashed. */
async function watchHashes() {
  const { verify } = createPasswordHasher();
  await verify(null, "loads the library");
  const types = await typesOfHash(verify);
  expect(types.size).toBe(1);
  const running = new Set<number>();
  let [count, most] = [0, 0];
  const hook = createHook({
    init(id, type) {
      if (!types.has(type)) return;
      count += 1;
      running.add(id);
      most = Math.max(most, running.size);
    },
    before: (id) => void running.delete(id),
  }).enable();
  onTestFinished(() => void hook.disable());
  return { count: () => count, most: () => most };
}

describe("passwords", () => {
  it("are hashed by as many processors as the machine has, less one", async () => {
    const watched = await watchHashes();
    const { verify } = createPasswordHasher();
    await Promise.all(Array.from({ length: slots + 4 }, () => verify(null, "password")));
    expect(watched.count()).toBe(slots + 4);
    expect(watched.most()).toBe(slots);
  });

  it("are hashed once for each sign-in, whoever is meant, and not at all for a stopped one", async () => {
    const { telex, browser, member, storage } = await start({}, { trustProxy: 1 });
    await member("carol");
    const dave = await member("dave");
    await telex.operator.users.amend(operator, { id: dave.id, state: "suspended" });
    const { id: userId } = await member("erin");
    await storage.accounts.amendAccount({ userId, rev: 1, change: { passwordHash: null } });
    const watched = await watchHashes();
    const signIn = async (username: string, address: string): Promise<string> => {
      const headers = { origin: browser().url, "content-type": "application/json", "x-forwarded-for": address };
      const body = { username, password: "wrong password" };
      const { status, text } = await browser().post("/account/signIn", body, { headers });
      return `${status} ${text}`;
    };
    const names = ["carol", "dave", "erin", "nobody", "no name", "x".repeat(64)];
    const answers: string[] = [];
    for (const name of names) {
      const before = watched.count();
      answers.push(await signIn(name, "203.0.113.5"));
      expect([name, watched.count() - before]).toEqual([name, 1]);
    }
    expect(new Set(answers)).toEqual(new Set([answers[0]]));
    for (const name of ["carol", "nobody"]) {
      for (let round = 1; round < 10; round += 1) await signIn(name, "203.0.113.5");
      const before = watched.count();
      expect([name, await signIn(name, "203.0.113.5")]).toEqual([name, expect.stringMatching(/^429 /)]);
      expect([name, watched.count() - before]).toEqual([name, 0]);
    }
  });

  it("of more callers than may wait are refused with 503, and the seconds to wait", async () => {
    const { browser, member } = await start();
    const { browser: carols } = await member("carol");
    const many = Array.from({ length: slots + 50 }, (_, index) =>
      browser().post("/account/signIn", { username: `name${index}`, password: "wrong password" }),
    );
    const answers = await Promise.all(many);
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    expect(new Set(refused.map(({ headers }) => headers.get("retry-after")))).toEqual(new Set(["2"]));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 503]));
    expect(await carols.get("/account")).toMatchObject({ status: 200 });
  });
});
