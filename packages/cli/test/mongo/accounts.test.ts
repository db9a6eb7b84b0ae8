import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folder, serve } from "test-support/command";
import { freePort } from "test-support/port";
import { sharedMongo } from "test-support/shared-mongo";
import { raceForGrants, raceForStrictRefresh } from "../account-grants.ts";
import { useHooks } from "../account-hooks.ts";
import { raceForLinks, setupLinkOf } from "../account-people.ts";
import { raceForWays, startProvider } from "../account-ways.ts";

/** The address of all servers, as it is behind a proxy. Browsers have passkeys for it. */
const baseUrl = "http://localhost:4711";

it("three servers have a set-up link each, and each link, code, token, challenge and flow has one winner of 12 callers", async () => {
  const storage = `${sharedMongo()}/accounts-${randomUUID()}`;
  const provider = await startProvider();
  const begin = async (name: string, args: readonly string[] = []) => {
    const place = ["--storage", storage, "--data", join(await folder(), "data"), "--base-url", baseUrl];
    const port = await freePort();
    const named = ["--port", String(port), "--server-id", name, "--rate-limits", "off"];
    const server = await serve([...place, ...named, ...provider.args, ...args]);
    return { ...server, url: `http://127.0.0.1:${port}`, baseUrl };
  };
  const servers = [await begin("one"), await begin("two"), await begin("three")] as const;
  const setups = await Promise.all(servers.map(setupLinkOf));
  expect(new Set(setups).size).toBe(3);
  const { admin, secrets: ofLinks } = await raceForLinks(servers, setups);
  const strict = ["--refresh-grace-seconds", "0"];
  const strictServers = [await begin("four", strict), await begin("five", strict), await begin("six", strict)];
  const secrets = [
    ...ofLinks,
    ...(await raceForGrants(servers, admin)),
    ...(await raceForStrictRefresh(strictServers, admin)),
    ...(await raceForWays(servers, admin, provider)),
    ...(await useHooks(servers, admin)),
  ];
  for (const server of [...servers, ...strictServers])
    expect(secrets.filter((secret) => server.log().includes(secret))).toEqual([]);
});
