import { readFile } from "node:fs/promises";
import { expect } from "vitest";
import { type TestServer, until } from "test-support/command";
import { at, textAt } from "test-support/json";

const api = "/external/api/v1";

/** The password of all users in these tests. */
export const password = "a password of the tests";

/** The secret of a link. */
export const secretOf = (link: string): string => link.trim().split("#", 2)[1] ?? "";

/** The answer to a call. */
interface Answer {
  readonly status: number;
  readonly data: unknown;
  /** The cookie that the response sets. */
  readonly cookie: string;
}

/** A server, and the address of its pages if it differs. */
type Place = Pick<TestServer, "url"> & { readonly baseUrl?: string };

/** The origin of the pages of a server: passkeys and cookies need a name, and cookies of this machine are named after its port. */
export const originOf = ({ url, baseUrl = url.replace("127.0.0.1", "localhost") }: Place): string => baseUrl;

/** Calls a server as its own page does. */
export async function call(
  server: Place,
  path: string,
  {
    method = "POST",
    body,
    cookie = "",
  }: { readonly method?: string; readonly body?: object; readonly cookie?: string },
): Promise<Answer> {
  const headers = { origin: originOf(server), "content-type": "application/json", cookie };
  const sent = method === "GET" ? {} : { body: JSON.stringify(body ?? {}) };
  const response = await fetch(server.url + api + path, { method, headers, ...sent });
  const set = response.headers.get("set-cookie") ?? "";
  return { status: response.status, data: at(await response.json(), "data"), cookie: set.split(";", 1)[0] ?? "" };
}

/** The set-up link of a server that has no users, from the file that its log names. */
export async function setupLinkOf({ log }: TestServer): Promise<string> {
  const lines = () =>
    log()
      .split("\n")
      .filter((line) => line.includes('"accounts.setup"'));
  await until(() => Promise.resolve(lines().length > 0));
  return await readFile(textAt(JSON.parse(lines()[0] ?? ""), "file"), "utf8");
}

/** The number of answers with each status and error. */
const tally = (answers: readonly Answer[]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [
      ...Map.groupBy(answers, ({ status, data }) => `${status} ${status === 200 ? "" : textAt(data, "error")}`.trim()),
    ].map(([name, all]) => [name, all.length]),
  );

const callers = 12;

/** One simultaneous call of each of 12 callers, over all servers. */
const race = async (
  servers: readonly TestServer[],
  path: string,
  bodyOf: (index: number) => object,
  cookie = "",
): Promise<readonly Answer[]> =>
  await Promise.all(
    Array.from({ length: callers }, (_, index) => {
      const server = servers[index % servers.length];
      if (server === undefined) throw new Error("There is no server.");
      return call(server, path, { body: bodyOf(index), cookie });
    }),
  );

/** All secrets issued during a race: none of them may be written anywhere. */
export interface Issued {
  readonly secrets: readonly string[];
  /** The session of the admin on the first server. */
  readonly admin: string;
}

/**
 * Lets 12 callers use each kind of link simultaneously, over all servers, and expects one winner each time.
 * @param setups the set-up links of the servers, in their order
 */
export async function raceForLinks(servers: readonly TestServer[], setups: readonly string[]): Promise<Issued> {
  const [server] = servers;
  if (server === undefined) throw new Error("There is no server.");
  const person = (prefix: string, index: number) => ({ username: `${prefix}${index}`, password });
  const opened = await race(servers, "/account/setup", (index) => ({
    secret: secretOf(setups[index % servers.length] ?? ""),
    ...person("admin", index),
  }));
  expect(tally(opened)).toEqual({ 200: 1, "410 link_ended": callers - 1 });
  const { cookie = "", data } = opened.find(({ status }) => status === 200) ?? {};
  const username = textAt(data, "username");
  const admin = (await call(server, "/account/signIn", { body: { username, password } })).cookie;
  const invitation = secretOf(textAt((await call(server, "/admin/invitations", { cookie: admin })).data, "url"));
  const joined = await race(servers, "/account/join", (index) => ({ secret: invitation, ...person("user", index) }));
  expect(tally(joined)).toEqual({ 200: 1, "410 link_ended": callers - 1 });
  const id = String(at(joined.find(({ status }) => status === 200)?.data, "id"));
  const made = await call(server, `/admin/users/${id}/recovery`, { cookie: admin });
  const recovery = secretOf(textAt(made.data, "url"));
  const recovered = await race(servers, "/account/recover", (index) => ({
    secret: recovery,
    password: password + index,
  }));
  const outcomes = tally(recovered);
  expect(outcomes["200"]).toBe(1);
  expect((outcomes["410 link_ended"] ?? 0) + (outcomes["503 busy"] ?? 0)).toBe(callers - 1);
  const token = textAt((await call(server, "/tokens", { body: { scopes: ["chat"] }, cookie: admin })).data, "token");
  const ticket = textAt((await call(server, "/tickets", { cookie: admin })).data, "ticket");
  const valueOf = (set: string): string => set.split("=", 2)[1] ?? "";
  const cookies = [cookie, admin, ...[...joined, ...recovered].map((one) => one.cookie)].map(valueOf).filter(Boolean);
  return { admin, secrets: [...setups.map(secretOf), invitation, recovery, token, ticket, password, ...cookies] };
}
