import type { Storage } from "@telex/core/storage";
import { createMemoryStorage } from "@telex/storage-memory";
import { expect, it } from "vitest";
import { person } from "../src/support/fixtures.ts";
import { InjectedFault, withFaults } from "../src/index.ts";

const names = async (storage: Storage) =>
  (await storage.users.listUsers({ after: 0, limit: 10 })).map(({ nickname }) => nickname);

const add = (storage: Storage, nickname: string) => storage.users.appendUser(person({ nickname }));

it("a call that fails before it is done does nothing, and the next one succeeds", async () => {
  const storage = createMemoryStorage();
  const faulty = withFaults(storage, { failAt: 2, when: "before" });
  await add(faulty, "first");
  await expect(add(faulty, "second")).rejects.toBeInstanceOf(InjectedFault);
  await add(faulty, "third");
  expect(await names(storage)).toEqual(["first", "third"]);
});

it("a call that fails after it is done has been done", async () => {
  const storage = createMemoryStorage();
  const faulty = withFaults(storage, { failAt: 1, when: "after" });
  await expect(add(faulty, "first")).rejects.toThrow("users.appendUser fails, as planned, after it is done.");
  expect(await names(storage)).toEqual(["first"]);
});

it("says which calls came, those of the change feed left out", async () => {
  const faulty = withFaults(createMemoryStorage(), { failAt: 9, when: "before" });
  await faulty.changes.latest();
  await faulty.tokens.listTokens({ userId: null, after: 0, limit: 1 });
  await faulty.groups.listMembers(1);
  expect(faulty.calls).toEqual(["tokens.listTokens", "groups.listMembers"]);
});
