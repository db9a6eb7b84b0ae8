import { DatabaseSync } from "node:sqlite";
import { storageCases } from "@telex/conformance";
import { createMemoryStorage } from "@telex/storage-memory";
import { describe, expect, it } from "vitest";
import { call, startExample } from "../support.ts";
import { createPeople, createPeopleTable } from "./people.ts";

describe("own-users-table", () => {
  it("shows a person as the server's own table names them", async () => {
    const { url, token } = await startExample("own-users-table");
    const known = await call(url, "/oauth2/userinfo", token);
    expect(known).toMatchObject({ body: { data: { nickname: "Alice of the table", ext: "", phone: null } } });
  });
});

const ofUsers = storageCases.filter(({ name }) => name.startsWith("users: "));

it.each(ofUsers)("keeps what Telex expects of $name", async ({ run }) => {
  const database = new DatabaseSync(":memory:");
  createPeopleTable(database);
  const storage = { ...createMemoryStorage(), users: createPeople(database) };
  await expect(run({ storage, destroy: async () => database.close() })).resolves.toBeUndefined();
});
