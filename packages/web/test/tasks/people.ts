import { type AccountClient, createAccountClient } from "@telex/auth-server/client";
import { type Client, createClient } from "@telex/http/client";
import type { AccountServer } from "../accounts.ts";

/** A person with an account, and clients with their token. */
export interface Somebody {
  readonly id: number;
  readonly client: Client;
  readonly accounts: AccountClient;
}

/** Alice performs the tasks. The others are in her rooms. */
export type People = Readonly<Record<"alice" | "bob" | "carol", Somebody>>;

async function addSomebody(server: AccountServer, name: string): Promise<Somebody> {
  const { id } = await server.member(name);
  const options = { url: server.url, token: (await server.issueFor(id)).token };
  return { id, client: createClient(options), accounts: createAccountClient(options) };
}

export async function addPeople(server: AccountServer): Promise<People> {
  const [alice, bob, carol] = [
    await addSomebody(server, "alice"),
    await addSomebody(server, "bob"),
    await addSomebody(server, "carol"),
  ];
  // People whom Alice can find.
  await alice.accounts.groups.create({ name: "Office", members: [bob.id, carol.id] });
  return { alice, bob, carol };
}
