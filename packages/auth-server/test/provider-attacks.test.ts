import { UnsecuredJWT, SignJWT, generateKeyPair, type JWTPayload } from "jose";
import { describe, expect, it } from "vitest";
import type { ProviderOptions } from "../src/index.ts";
import { client, type Forgery, startForgedProvider } from "./identity-provider.ts";
import { api } from "./provider-scene.ts";
import { start } from "./server.ts";
import { type Seen, Visitor } from "./visitor.ts";

async function setUp(forgery: Forgery = {}, changed: Partial<ProviderOptions> = {}) {
  const [first, second] = [await startForgedProvider(forgery, "first"), await startForgedProvider({}, "second")];
  const server = await start({ registration: "open", providers: [{ ...first.options, ...changed }, second.options] });
  const leave = async (visitor: Visitor, provider = "first"): Promise<Seen> =>
    await visitor.ask(`${server.url}/user/providers`, { form: { provider } });
  /** The browser comes back from a provider. */
  const comeBack = async (visitor: Visitor, query: string, provider = "first"): Promise<Seen> =>
    await visitor.ask(`${server.url}/user/providers/${provider}?${query}`, {}, first.url);
  const isIn = async (visitor: Visitor): Promise<boolean> =>
    (await visitor.ask(`${server.url}${api}/account`)).status === 200;
  return { ...server, first, second, leave, comeBack, isIn };
}

const unverified = "could not be verified";
const ended = "begun in another browser";

describe("the way back from a provider", () => {
  it("lets in a browser that began, with what the provider says (the attacks below change one thing each)", async () => {
    const { first, leave, comeBack, isIn, log } = await setUp();
    const visitor = new Visitor();
    const query = first.answerTo(await leave(visitor));
    expect((await comeBack(visitor, query)).status).toBe(303);
    expect(await isIn(visitor)).toBe(true);
    const [exchange] = first.exchanges;
    const lines = JSON.stringify([log.lines, log.security]);
    for (const secret of [exchange?.get("code_verifier"), new URLSearchParams(query).get("state"), client.clientSecret])
      expect(lines).not.toContain(secret);
    expect([...visitor.jar(first.url).keys()]).toEqual([]);
  });

  it("is closed to another browser, which would be signed in as the attacker", async () => {
    const { first, leave, comeBack, isIn } = await setUp();
    const attacker = new Visitor();
    const query = first.answerTo(await leave(attacker));
    const victim = new Visitor();
    for (const prepare of [() => Promise.resolve(), () => leave(victim)]) {
      await prepare();
      const seen = await comeBack(victim, query);
      expect([seen.status, seen.text.includes(ended)]).toEqual([400, true]);
    }
    expect(await isIn(victim)).toBe(false);
    expect(first.exchanges).toEqual([]);
  });

  it("is open once, also to simultaneous requests", async () => {
    const { first, leave, comeBack } = await setUp();
    const visitor = new Visitor();
    const query = first.answerTo(await leave(visitor));
    const seen = await Promise.all(Array.from({ length: 5 }, () => comeBack(visitor, query)));
    expect(seen.filter(({ status }) => status === 303)).toHaveLength(1);
    expect((await comeBack(visitor, query)).text).toContain(ended);
    expect(first.exchanges).toHaveLength(1);
  });

  it("is open for 10 minutes", async () => {
    const { first, leave, comeBack, clock } = await setUp();
    const visitor = new Visitor();
    const query = first.answerTo(await leave(visitor));
    await clock.advance(600_000);
    expect((await comeBack(visitor, query)).text).toContain(ended);
  });

  it("belongs to the provider to which the browser went", async () => {
    const { first, second, leave, comeBack, isIn } = await setUp();
    const atSecond = new Visitor();
    const seen = await comeBack(atSecond, first.answerTo(await leave(atSecond)), "second");
    expect([seen.status, seen.text.includes(ended)]).toEqual([400, true]);
    const named = new Visitor();
    const query = first.answerTo(await leave(named), { iss: second.url });
    expect((await comeBack(named, query)).text).toContain(unverified);
    expect([await isIn(atSecond), await isIn(named)]).toEqual([false, false]);
    expect([first.exchanges, second.exchanges]).toEqual([[], []]);
  });

  it("is not found with a state that is there twice, or missing, or by POST", async () => {
    const { first, leave, comeBack, url } = await setUp();
    const visitor = new Visitor();
    const query = first.answerTo(await leave(visitor));
    expect((await comeBack(visitor, "code=x")).text).toContain(ended);
    const posted = await visitor.ask(`${url}/user/providers/first`, {
      form: Object.fromEntries(new URLSearchParams(query)),
    });
    expect(posted.status).toBe(404);
    expect((await comeBack(visitor, `${query}&state=x`)).text).toContain(unverified);
    expect(first.exchanges).toEqual([]);
  });

  it("leads nowhere from a page of another site, which could choose the provider and the link", async () => {
    const { url, first } = await setUp();
    const seen = await new Visitor().ask(`${url}/user/providers`, { form: { provider: "first" } }, first.url);
    expect(seen.status).toBe(403);
    expect(Visitor.next(seen)).toBeNull();
    expect((await new Visitor().ask(`${url}/user/providers`, { form: { provider: "third" } })).status).toBe(404);
  });
});

type Forge = NonNullable<Forgery["token"]>;

const forgeries: Readonly<Record<string, Forge>> = {
  "another nonce": async (claims, sign) => await sign({ ...claims, nonce: "another" }),
  "no nonce": async ({ nonce: _nonce, ...claims }, sign) => await sign(claims),
  "another audience": async (claims, sign) => await sign({ ...claims, aud: "another" }),
  "several audiences and another authorized party": async (claims, sign) =>
    await sign({ ...claims, aud: ["telex", "another"], azp: "another" }),
  "another issuer": async (claims, sign) => await sign({ ...claims, iss: "https://evil.example" }),
  "an end in the past": async (claims, sign) => await sign({ ...claims, exp: Number(claims.iat) - 60 }),
  "no end": async ({ exp: _exp, ...claims }, sign) => await sign(claims),
  "no subject": async ({ sub: _sub, ...claims }, sign) => await sign(claims),
  "a subject that is too long": async (claims, sign) => await sign({ ...claims, sub: "a".repeat(256) }),
  "the algorithm none": (claims) => Promise.resolve(new UnsecuredJWT(claims).encode()),
  "a signature with the secret of the client": async (claims: JWTPayload) =>
    await new SignJWT(claims)
      .setProtectedHeader({ alg: "HS256", kid: "k" })
      .sign(new TextEncoder().encode(client.clientSecret)),
  "a signature with a key of somebody else": async (claims) =>
    await new SignJWT(claims)
      .setProtectedHeader({ alg: "ES256", kid: "k" })
      .sign((await generateKeyPair("ES256")).privateKey),
  "no form": () => Promise.resolve("abc"),
};

describe("an ID token", () => {
  it.each(Object.entries(forgeries))("with %s is not believed", async (_name, token) => {
    const { first, leave, comeBack, isIn } = await setUp({ token });
    const visitor = new Visitor();
    const seen = await comeBack(visitor, first.answerTo(await leave(visitor)));
    expect(seen.status).toBe(400);
    expect(seen.text).toContain(unverified);
    expect(await isIn(visitor)).toBe(false);
  });
});

describe("a provider that is hostile, slow or dead", () => {
  const silent = "Example ID does not respond";

  it.each([
    ["metadata of 10 MiB", { big: "a".repeat(10 * 2 ** 20) }],
    ["another issuer in its metadata", { issuer: "https://evil.example" }],
    ["an address that would run in the page", { authorization_endpoint: "javascript:alert(1)" }],
  ])("with %s is refused before the browser leaves", async (_name, metadata) => {
    const { leave, second } = await setUp({ metadata });
    const seen = await leave(new Visitor());
    expect(seen.status).toBeGreaterThanOrEqual(400);
    expect(Visitor.next(seen)).toBeNull();
    expect((await leave(new Visitor(), "second")).text).toContain(second.url);
  });

  it("reaches no other address inside the network, by its metadata or by a redirect", async () => {
    const inside = await startForgedProvider();
    const calls: string[] = [];
    inside.become((request, response) => {
      calls.push(request.url ?? "");
      response.end("{}");
    });
    const asked = async (metadata: object): Promise<number> => {
      const { first, leave, comeBack } = await setUp({ metadata });
      const visitor = new Visitor();
      return (await comeBack(visitor, first.answerTo(await leave(visitor)))).status;
    };
    for (const field of ["token_endpoint", "jwks_uri", "userinfo_endpoint"])
      expect([field, await asked({ [field]: `${inside.url}/x` })]).toEqual([field, 503]);
    expect(await asked({ token_endpoint: "http://169.254.169.254/latest/meta-data/" })).toBe(503);
    const { first, leave } = await setUp();
    first.become((_request, response) => response.writeHead(302, { location: `${inside.url}/x` }).end());
    expect((await leave(new Visitor())).status).toBe(400);
    expect(calls).toEqual([]);
  });

  it("is said to be silent where it never answers, or is gone", async () => {
    const { first, leave } = await setUp({}, { timeout: 50 });
    first.become(() => {});
    const seen = await leave(new Visitor());
    expect([seen.status, seen.text.includes(silent)]).toEqual([503, true]);
    first.become((request) => request.socket.destroy());
    expect((await leave(new Visitor())).status).toBe(503);
  });

  it("holds few calls, and none for another provider; it is asked again when it answers", async () => {
    const { first, leave } = await setUp({}, { timeout: 60_000 });
    const held: (() => void)[] = [];
    first.become((request) => void held.push(() => request.socket.destroy()));
    const waiting = Array.from({ length: 31 }, () => leave(new Visitor()));
    expect(await Promise.race(waiting)).toMatchObject({ status: 503 });
    expect((await leave(new Visitor(), "second")).status).toBe(200);
    expect(held).toHaveLength(1);
    for (const end of held) end();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(31).fill(503));
  });
});
