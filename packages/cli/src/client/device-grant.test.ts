import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { findAuthority, renewTokens } from "./authority.ts";
import { askForCode, awaitTokens, type Pause } from "./device-grant.ts";

type Answer = readonly [status: number, body: object | string];

const tokens: Answer = [200, { access_token: "access", token_type: "Bearer", expires_in: 60, refresh_token: "next" }];
const error = (word: string): Answer => [400, { error: word }];

function send(response: ServerResponse, [status, body]: Answer): void {
  const isText = typeof body === "string";
  response.writeHead(status, { "content-type": isText ? "text/html" : "application/json" });
  response.end(isText ? body : JSON.stringify(body));
}

/** A server that answers token requests with these answers, and has `changes` in its metadata. */
async function start(answers: readonly Answer[], changes: object = {}) {
  const left = [...answers];
  const server = createServer(({ url: path = "" }, response) => {
    const at = (name: string): string => `${url}/${name}`;
    const metadata = {
      issuer: url,
      token_endpoint: at("token"),
      device_authorization_endpoint: at("device"),
      revocation_endpoint: at("revoke"),
    };
    const shown = { device_code: "d", user_code: "BCDF-GHJK", verification_uri: at("user/device"), expires_in: 60 };
    if (path.startsWith("/.well-known/")) send(response, [200, { ...metadata, ...changes }]);
    else if (path === "/device") send(response, [200, { ...shown, ...changes }]);
    else send(response, left.shift() ?? [500, "no answer is left"]);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => server.close().closeAllConnections());
  await once(server, "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  return { url, left };
}

/** Waits for the tokens of such a server, and records the seconds between the requests. */
async function wait(answers: readonly Answer[], changes: object = {}) {
  const { url } = await start(answers, changes);
  const authority = await findAuthority(url);
  const waiting = authority === null ? null : await askForCode(authority);
  if (authority === null || waiting === null) throw new Error("The server offers no sign-in.");
  const pauses: number[] = [];
  const pause: Pause = (seconds) => {
    pauses.push(seconds);
    return Promise.resolve();
  };
  const result = await awaitTokens(authority, waiting, undefined, pause).catch((thrown: unknown) => thrown);
  return { result, pauses };
}

const pending = error("authorization_pending");

describe("waiting for a person", () => {
  it("asks every 5 seconds, and more slowly when the server says so", async () => {
    const { result, pauses } = await wait([pending, pending, error("slow_down"), tokens]);
    expect(result).toMatchObject({ token: "access", renewal: { refreshToken: "next" } });
    expect(pauses).toEqual([5, 5, 5, 10]);
  });

  it("outlasts a server that restarts", async () => {
    const { result, pauses } = await wait([[502, "<html>Bad gateway"], [503, {}], [429, {}], tokens]);
    expect(result).toMatchObject({ token: "access" });
    expect(pauses).toEqual([5, 10, 15, 20]);
  });

  it.each([
    ["refused", [pending, error("access_denied")]],
    ["expired", [pending, error("expired_token")]],
    ["expired", [error("invalid_grant")]],
    ["no_telex", [[200, "<html>A hotspot wants you to sign in."]]],
  ] satisfies (readonly [string, readonly Answer[]])[])("ends as %s", async (word, answers) => {
    expect((await wait(answers)).result).toMatchObject({ error: word });
  });

  it("ends with the code, whatever pause and life the server names", async () => {
    const ended = await wait(Array.from({ length: 60 }, () => pending));
    expect(ended).toMatchObject({ result: { error: "expired" }, pauses: Array(12).fill(5) });
    const hasty = await wait(
      Array.from({ length: 3 }, () => pending),
      { interval: 0.001, expires_in: 3 },
    );
    expect(hasty).toMatchObject({ result: { error: "expired" }, pauses: [1, 1, 1] });
  });
});

describe("a server that would lead people to another one", () => {
  it("is refused, whether it names the other one as itself or as the page for the code", async () => {
    const named = await start([], { issuer: "https://other.example" });
    await expect(findAuthority(named.url)).rejects.toMatchObject({
      error: "other_address",
      message: expect.stringContaining("telex login --url https://other.example") as unknown,
    });
    for (const field of ["verification_uri", "verification_uri_complete"]) {
      const { url } = await start([], { [field]: "https://other.example/user/device" });
      const authority = await findAuthority(url);
      const asked = authority === null ? Promise.resolve(null) : askForCode(authority);
      await expect(asked).rejects.toMatchObject({ error: "other_address" });
    }
  });

  it("gets no token: only its own address is asked", async () => {
    const other = await start([tokens]);
    const { url, left } = await start([tokens], { token_endpoint: `${other.url}/token` });
    const authority = await findAuthority(url);
    if (authority !== null) await renewTokens(authority, "secret");
    expect({ own: left.length, other: other.left.length }).toEqual({ own: 0, other: 1 });
  });

  it("may be called localhost by itself, as a server without baseUrl is", async () => {
    const { url } = await start([]);
    const same = await start([], { issuer: url.replace("127.0.0.1", "localhost") });
    await expect(findAuthority(same.url)).rejects.toMatchObject({ error: "other_address" });
    const { url: named } = await start([]);
    expect(await findAuthority(named.replace("127.0.0.1", "localhost"))).toMatchObject({
      metadata: { issuer: named },
    });
  });
});
