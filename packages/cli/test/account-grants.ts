import { hash, randomBytes } from "node:crypto";
import { expect } from "vitest";
import { type TestServer } from "test-support/command";
import { at, textAt } from "test-support/json";
import { call } from "./account-people.ts";

type Server = Pick<TestServer, "url">;

const redirectUri = "https://app.example/cb";
const callers = Array.from({ length: 12 }, (_, index) => index);

/** A registered application. */
interface App {
  readonly id: string;
  readonly secret: string;
}

async function createApp(server: Server, cookie: string): Promise<App> {
  const body = {
    name: "Tea timer",
    redirectUris: [redirectUri],
    grants: ["code", "refresh"],
    scopes: ["openid", "profile", "chat"],
    hasSecret: true,
  };
  const { data } = await call(server, "/admin/clients", { body, cookie });
  return { id: textAt(data, "id"), secret: textAt(data, "secret") };
}

/** The server of a caller. */
function serverOf(servers: readonly Server[], index: number): Server {
  const server = servers[index % servers.length];
  if (server === undefined) throw new Error("There is no server.");
  return server;
}

/** A browser that does not follow redirects, and keeps its cookies. */
function openTab({ url }: Server, cookie: string) {
  const cookies = new Map<string, string>();
  const keep = (set: string): void => {
    const [name = "", value = ""] = (set.split(";", 1)[0] ?? "").split("=", 2);
    cookies.set(name, value);
  };
  keep(cookie);
  return async (path: string): Promise<URL> => {
    const sent = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(new URL(path, url), { redirect: "manual", headers: { cookie: sent } });
    await response.body?.cancel();
    response.headers.getSetCookie().forEach(keep);
    return new URL(response.headers.get("location") ?? "", url);
  };
}

/** Asks for access in the name of an application, allows it, and returns what the application gets. */
async function authorize(server: Server, { id }: App, cookie: string) {
  const verifier = randomBytes(32).toString("base64url");
  const query = new URLSearchParams({
    client_id: id,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "openid profile chat",
    prompt: "consent",
    code_challenge: hash("sha256", verifier, "base64url"),
    code_challenge_method: "S256",
  });
  const go = openTab(server, cookie);
  const uid = (await go(`/oauth2/authorize?${query.toString()}`)).searchParams.get("uid") ?? "";
  const answered = await call(server, `/account/interactions/${uid}`, { body: { allow: true }, cookie });
  const { pathname } = new URL(textAt(answered.data, "redirectTo"));
  return { uid, verifier, code: (await go(pathname)).searchParams.get("code") ?? "" };
}

/** The answer of an endpoint of the provider. */
async function post({ url }: Server, path: string, fields: Readonly<Record<string, string>>, app?: App) {
  const basic = app === undefined ? "" : `Basic ${Buffer.from(`${app.id}:${app.secret}`).toString("base64")}`;
  const headers = basic === "" ? {} : { authorization: basic };
  const response = await fetch(`${url}/oauth2/${path}`, { method: "POST", headers, body: new URLSearchParams(fields) });
  const data: unknown = await response.json();
  return { status: response.status, data };
}

type Answer = Awaited<ReturnType<typeof post>>;

const winnersOf = (answers: readonly Answer[]): readonly Answer[] => answers.filter(({ status }) => status === 200);

/** The tokens of an answer. */
const tokensIn = ({ data }: Answer): readonly string[] =>
  ["access_token", "refresh_token", "id_token"].flatMap((name) => {
    const value = at(data, name);
    return typeof value === "string" ? [value] : [];
  });

async function raceForCode(servers: readonly Server[], app: App, cookie: string): Promise<readonly string[]> {
  const { uid, code, verifier } = await authorize(serverOf(servers, 0), app, cookie);
  const fields = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier };
  const answers = await Promise.all(callers.map((index) => post(serverOf(servers, index), "token", fields, app)));
  expect(winnersOf(answers)).toHaveLength(1);
  // A code that was used twice is invalid, with its tokens: a thief may have been first.
  const token = textAt(winnersOf(answers)[0]?.data, "access_token");
  expect((await post(serverOf(servers, 1), "introspect", { token }, app)).data).toEqual({ active: false });
  return [uid, code, ...answers.flatMap(tokensIn)];
}

/** Within the grace period several calls may succeed, and one chain of tokens stays valid. */
async function raceForRefresh(servers: readonly Server[], app: App, cookie: string): Promise<readonly string[]> {
  const { code, verifier } = await authorize(serverOf(servers, 0), app, cookie);
  const fields = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier };
  const first = await post(serverOf(servers, 0), "token", fields, app);
  const refresh = { grant_type: "refresh_token", refresh_token: textAt(first.data, "refresh_token") };
  const answers = await Promise.all(callers.map((index) => post(serverOf(servers, index), "token", refresh, app)));
  const next = [...new Set(winnersOf(answers).map(({ data }) => textAt(data, "refresh_token")))];
  const states = await Promise.all(next.map((token) => post(serverOf(servers, 1), "introspect", { token }, app)));
  expect(states.filter(({ data }) => at(data, "active") === true)).toHaveLength(1);
  return [code, ...[first, ...answers].flatMap(tokensIn)];
}

/**
 * Lets 12 callers use a refresh token simultaneously on servers without a grace period, and expects one winner. The other uses
 * revoke the tokens of the winner.
 * @returns everything that was issued
 */
export async function raceForStrictRefresh(servers: readonly Server[], cookie: string): Promise<readonly string[]> {
  const app = await createApp(serverOf(servers, 0), cookie);
  const { code, verifier } = await authorize(serverOf(servers, 0), app, cookie);
  const fields = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier };
  const first = await post(serverOf(servers, 0), "token", fields, app);
  const refresh = { grant_type: "refresh_token", refresh_token: textAt(first.data, "refresh_token") };
  const answers = await Promise.all(callers.map((index) => post(serverOf(servers, index), "token", refresh, app)));
  expect(winnersOf(answers)).toHaveLength(1);
  const token = textAt(winnersOf(answers)[0]?.data, "access_token");
  expect((await post(serverOf(servers, 1), "introspect", { token }, app)).data).toEqual({ active: false });
  return [app.secret, code, ...[first, ...answers].flatMap(tokensIn)];
}

async function raceForDevice(servers: readonly Server[], cookie: string): Promise<readonly string[]> {
  const client = { client_id: "telex-cli" };
  const shown = await post(serverOf(servers, 1), "device", { ...client, scope: "openid chat" });
  const [deviceCode, code] = [textAt(shown.data, "device_code"), textAt(shown.data, "user_code")];
  const server = serverOf(servers, 0);
  expect(await call(server, "/account/device/lookup", { body: { code }, cookie })).toMatchObject({ status: 200 });
  const allowed = { body: { code, allow: true }, cookie };
  expect(await call(server, "/account/device/approve", allowed)).toMatchObject({ status: 200 });
  const fields = { ...client, grant_type: "urn:ietf:params:oauth:grant-type:device_code", device_code: deviceCode };
  const answers = await Promise.all(callers.map((index) => post(serverOf(servers, index), "token", fields)));
  expect(winnersOf(answers)).toHaveLength(1);
  return [deviceCode, code, ...answers.flatMap(tokensIn)];
}

/** The first frame with which a server answers on a socket. */
const ping = async ({ url }: Server, ticket: string): Promise<string> =>
  await new Promise((resolve, reject) => {
    const address = `${url.replace("http", "ws")}/external/api/v1/im/imWebSocket/${ticket}`;
    const socket = new WebSocket(address);
    socket.addEventListener("open", () => socket.send(JSON.stringify({ command: "ping", identifier: "1", data: {} })));
    socket.addEventListener("message", ({ data }) => {
      socket.close();
      resolve(String(data));
    });
    socket.addEventListener("error", () => reject(new Error("The socket does not open.")));
  });

async function raceForTicket(servers: readonly Server[], cookie: string): Promise<readonly string[]> {
  const ticket = textAt((await call(serverOf(servers, 0), "/tickets", { cookie })).data, "ticket");
  const frames = await Promise.all(callers.map((index) => ping(serverOf(servers, index), ticket)));
  expect(frames.filter((frame) => !frame.includes("LoginFail"))).toHaveLength(1);
  return [ticket];
}

/**
 * Lets 12 callers use a code, a refresh token, a device code and a ticket simultaneously, over all servers, and expects one winner each time.
 * @param cookie the session of an admin on the first server
 * @returns everything that was issued
 */
export async function raceForGrants(servers: readonly Server[], cookie: string): Promise<readonly string[]> {
  const app = await createApp(serverOf(servers, 0), cookie);
  return [
    app.secret,
    ...(await raceForCode(servers, app, cookie)),
    ...(await raceForRefresh(servers, app, cookie)),
    ...(await raceForDevice(servers, cookie)),
    ...(await raceForTicket(servers, cookie)),
  ];
}
