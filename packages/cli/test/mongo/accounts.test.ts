import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { expect, inject, it } from "vitest";
import { folder, serve } from "test-support/command";
import { raceForGrants } from "../account-grants.ts";
import { raceForLinks, setupLinkOf } from "../account-people.ts";

it("three servers have a set-up link each, and each kind of link, code and token has one winner of 12 callers", async () => {
  const storage = `${inject("mongodb")}/accounts-${randomUUID()}`;
  const names = ["one", "two", "three"];
  const servers = [];
  for (const name of names) {
    const place = ["--storage", storage, "--data", join(await folder(), "data")];
    servers.push(await serve([...place, "--server-id", name, "--rate-limits", "off"]));
  }
  const setups = await Promise.all(servers.map(setupLinkOf));
  expect(new Set(setups).size).toBe(3);
  const { admin, secrets: ofLinks } = await raceForLinks(servers, setups);
  const secrets = [...ofLinks, ...(await raceForGrants(servers, admin))];
  for (const server of servers) expect(secrets.filter((secret) => server.log().includes(secret))).toEqual([]);
});
