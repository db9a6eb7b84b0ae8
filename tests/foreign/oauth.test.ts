import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse, textAt } from "test-support/json";
import { foreign } from "./support/cache.ts";
import { goProgram } from "./support/go.ts";
import { serverCounts } from "./support/installation.ts";
import { servePerson, startPeople } from "./support/oauth.ts";
import { pythonProgram } from "./support/python.ts";
import { runToSuccess } from "./support/run.ts";

type Command = readonly [string, ...string[]];

const node = (file: string): Command => [process.execPath, join(foreign, "oauth-node", file)];
const python = (library: string): Command => [
  pythonProgram("python"),
  join(foreign, "oauth-python", "main.py"),
  library,
];

/** The programs, each with the features that its library lacks, or that another program covers. */
const programs: readonly (readonly [name: string, command: Command, lacks: readonly string[]])[] = [
  ["openid-client", node("openid-client.ts"), ["pending"]],
  ["oauth4webapi", node("oauth4webapi.ts"), ["oneDevice"]],
  ["authlib", python("authlib"), ["oneDevice"]],
  ["requests-oauthlib", python("requests"), ["oneDevice"]],
  ["golang.org/x/oauth2", [goProgram("oauth-go")], ["oneDevice", "idToken", "active", "calls", "pending"]],
];

/** The result of every application. */
const expectedOf = (name: string, lacks: readonly string[]): unknown => {
  const all = {
    scope: "openid profile chat",
    idToken: name,
    userInfo: name,
    active: [true, false],
    calls: [200, 401],
    denied: "access_denied",
    wrongVerifier: "invalid_grant",
    oneDevice: [
      [200, 403],
      [200, 403],
    ],
    refresh: { isRotated: true, reuse: "invalid_grant", family: "invalid_grant" },
    device: { pending: "authorization_pending", allowed: 200, denied: "access_denied" },
  };
  return parse(JSON.stringify(all, (key, value: unknown) => (lacks.includes(key) ? undefined : value)));
};

type People = Awaited<ReturnType<typeof startPeople>>;

/** Runs a program for a new person. */
async function run({ url, settings, member }: People, [program, ...args]: Command, username: string): Promise<unknown> {
  const person = await servePerson(await member(username));
  onTestFinished(() => void person.close());
  return parse(await runToSuccess(program, [...args, url, person.url, JSON.stringify(settings)]));
}

/** Runs curl, as a program without an OAuth library. */
const curl = async (...args: readonly string[]): Promise<unknown> =>
  parse(await runToSuccess("curl", ["--silent", "--show-error", ...args]));

/** A program that shows a code, in the shell. */
async function useCurl({ url, settings, member }: People): Promise<void> {
  const browser = await member("curl");
  const metadata = await curl(`${url}/.well-known/oauth-authorization-server`);
  const at = (name: string): string => textAt(metadata, `${name}_endpoint`);
  const shown = await curl("-d", `client_id=${settings.program}`, "-d", "scope=chat", at("device_authorization"));
  const grant = [
    "-d",
    "grant_type=urn:ietf:params:oauth:grant-type:device_code",
    "-d",
    `client_id=${settings.program}`,
  ];
  const poll = async () => await curl(...grant, "-d", `device_code=${textAt(shown, "device_code")}`, at("token"));
  expect(await poll()).toMatchObject({ error: "authorization_pending" });
  await browser.answer(textAt(shown, "user_code"), true);
  const tokens = await poll();
  const bearer = ["--oauth2-bearer", textAt(tokens, "access_token")];
  expect(await curl(...bearer, `${url}/external/api/v1/oauth2/userinfo`)).toMatchObject({ data: { nickname: "curl" } });
  expect(await curl("-d", `token=${textAt(tokens, "refresh_token")}`, at("revocation"))).toMatchObject({
    error: "invalid_request",
  });
  const ended = ["-d", `token=${textAt(tokens, "refresh_token")}`, "-d", `client_id=${settings.program}`];
  await runToSuccess("curl", ["--silent", "--fail", ...ended, at("revocation")]);
  expect(await curl(...bearer, `${url}/external/api/v1/oauth2/userinfo`)).toMatchObject({ code: 401 });
}

// The test database is written in Python, and takes a while to create collections for three servers.
const timeout = 600_000;

describe.each(serverCounts(false))("applications, with %i servers", { timeout }, (count) => {
  it("sign people in with every library, and find the same rules", async () => {
    const people = await startPeople(count);
    for (const [name, command, lacks] of programs) {
      const username = `user-of-${name.replaceAll(/\W/g, "-")}`;
      expect([name, await run(people, command, username)]).toEqual([name, expectedOf(username, lacks)]);
    }
    await useCurl(people);
  });
});
