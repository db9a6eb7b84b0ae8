import type { AuthOptions, ProviderOptions } from "../src/index.ts";
import { type Person, startIdentityProvider } from "./identity-provider.ts";
import { start } from "./server.ts";
import { type Seen, Visitor } from "./visitor.ts";

/** The base path of the operations. */
export const api = "/external/api/v1";

/** The field of a JSON answer. */
export const dataOf = (seen: Seen): unknown => Reflect.get(JSON.parse(seen.text), "data");

/** A server with a provider, where a person has the account `sub-alice`. */
export async function startWithProvider(options: Partial<AuthOptions> = {}, changed: Partial<ProviderOptions> = {}) {
  const people = new Map<string, Person>([
    [
      "sub-alice",
      { name: "Alice Archer", preferred_username: "Alice", email: "alice@a.example", email_verified: true },
    ],
  ]);
  const provider = await startIdentityProvider(people);
  const server = await start({ registration: "open", ...options, providers: [{ ...provider.options, ...changed }] });
  provider.open(server.url);
  const at = (path: string): string => server.url + path;
  /** Leaves a page of Telex for the provider. */
  const leave = async (
    visitor: Visitor,
    purpose = "enter",
    form: Readonly<Record<string, string>> = {},
  ): Promise<Seen> =>
    await visitor.ask(at(`/user/providers?for=${purpose}`), { form: { provider: "example", ...form } });
  /** Signs in with the provider, and returns the page at the end. */
  const signIn = async (sub = "sub-alice", visitor = new Visitor(), purpose = "enter", form = {}) => {
    const isEnough = (next: string): boolean => next === at("/user/") || next === at("/user/account");
    const seen = await provider.pass(visitor, await leave(visitor, purpose, form), sub, isEnough);
    return { visitor, seen };
  };
  const account = async (visitor: Visitor) => await visitor.ask(at(`${api}/account`));
  return { ...server, people, provider, at, leave, signIn, account };
}
