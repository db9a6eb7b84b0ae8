import { operator } from "@telex/core";
import { createMemoryStorage } from "@telex/storage-memory";
import { addAccount } from "test-support/accounts";
import { expect, it } from "vitest";
import { overBothTransports, type Person, type Setup, teleprinter } from "./setup.ts";

const users = "/external/api/v1/admin/users";
const own = "/external/api/v1/oauth2/userId";

/** Sends a change of a user as an admin. */
async function amend({ send }: Setup, admin: string, { id }: Pick<Person, "id">, change: object) {
  const headers = { "content-type": "application/json", "accept-language": "en" };
  const answer = await send(`${users}/${id}`, { method: "PATCH", token: admin, headers, body: JSON.stringify(change) });
  const body: unknown = await answer.json();
  return { status: answer.status, body };
}

async function openWithAdmin(given: Setup) {
  const { id } = await given.telex.operator.users.add(operator, { nickname: "Root" });
  const root = await given.issue({ id, token: "" }, ["admin"]);
  const change = (person: Pick<Person, "id">, fields: object) => amend(given, root, person, fields);
  const statusOf = async (token: string) => (await given.send(own, { token })).status;
  return { ...given, root, change, statusOf };
}

overBothTransports("a suspended user", (open) => {
  it("gets 401 for every token, also where a poll waits, and can use them again when resumed", async () => {
    const { change, statusOf, alice, bob, issue, send, post } = await openWithAdmin(await open());
    await post(`${teleprinter}/register`, { deviceId: "printer", name: "Printer" }, alice.token);
    const second = await issue(alice, ["profile"]);
    const poll = send(`${teleprinter}/poll?deviceId=printer&wait=30`, { token: alice.token });
    expect(await statusOf(alice.token)).toBe(200);
    expect(await change(alice, { state: "suspended" })).toMatchObject({
      status: 200,
      body: { data: { id: alice.id, state: "suspended" } },
    });
    expect((await poll).status).toBe(401);
    expect([await statusOf(alice.token), await statusOf(second), await statusOf(bob.token)]).toEqual([401, 401, 200]);
    expect(await change(alice, { state: "active" })).toMatchObject({
      status: 200,
      body: { data: { state: "active" } },
    });
    expect([await statusOf(alice.token), await statusOf(second)]).toEqual([200, 200]);
  });

  it("is the last active admin only if the operator forces it", async () => {
    const storage = createMemoryStorage();
    const here = await openWithAdmin(await open({ telex: { storage } }));
    const ada = { id: await addAccount(storage, "ada", "admin") };
    const refused = { status: 409, body: { data: { error: "last_admin" } } };
    expect(await here.change(ada, { state: "suspended" })).toMatchObject(refused);
    const removed = await here.send(`${users}/${ada.id}`, { method: "DELETE", token: here.root });
    expect(removed.status).toBe(409);
    const forced = await here.change(ada, { state: "suspended", force: true });
    expect(forced).toMatchObject({ status: 403, body: { data: { error: "insufficient_scope" } } });
    await here.telex.operator.users.amend(operator, { ...ada, state: "suspended", force: true });
    expect(await here.change(ada, { state: "active" })).toMatchObject({ status: 200 });
  });

  it("is suspended by a change that has no other field", async () => {
    const { change, alice, statusOf } = await openWithAdmin(await open());
    const refused = await change(alice, { state: "suspended", nickname: "A" });
    expect(refused).toMatchObject({ status: 400, body: { data: { error: "invalid_request" } } });
    expect(JSON.stringify(refused.body)).toContain("must be changed in a call of its own");
    expect((await change(alice, { state: "gone" })).status).toBe(400);
    expect(await statusOf(alice.token)).toBe(200);
  });
});
