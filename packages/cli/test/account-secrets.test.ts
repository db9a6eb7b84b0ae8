import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folder, serve } from "test-support/command";
import { parse, textAt } from "test-support/json";
import { raceForGrants } from "./account-grants.ts";
import { useHooks } from "./account-hooks.ts";
import { raceForLinks, setupLinkOf } from "./account-people.ts";
import { raceForWays, startProvider } from "./account-ways.ts";
import { telexHere } from "./in-process.ts";

/** The contents of all files in a folder, byte for byte. */
async function everythingIn(path: string): Promise<string> {
  const files = await readdir(path, { recursive: true, withFileTypes: true });
  const contents = files
    .filter((file) => file.isFile())
    .map(async (file) => await readFile(join(file.parentPath, file.name), "latin1"));
  return (await Promise.all(contents)).join("\n");
}

it("each link, code, ticket, challenge and flow has one winner of 12 callers, and nothing that opens something is written anywhere", async () => {
  const cwd = await folder();
  const options = ["--access-log", "on", "--server-id", "one", "--metrics-port", "0", "--rate-limits", "off"];
  const provider = await startProvider();
  const server = await serve([...options, ...provider.args], { cwd });
  const { admin, secrets: ofLinks } = await raceForLinks([server], [await setupLinkOf(server)]);
  const secrets = [
    ...ofLinks,
    ...(await raceForGrants([server], admin)),
    ...(await raceForWays([server], admin, provider)),
    ...(await useHooks([server], admin)),
  ];
  expect(secrets.length).toBeGreaterThan(30);
  // The shortest one is the code that a person types.
  expect(secrets.every((secret) => secret.length >= 9)).toBe(true);
  const events = server.log().trimEnd().split("\n").map(parse);
  const listening = events.find((line) => textAt(line, "event") === "metrics.listening");
  const address = textAt(listening, "address");
  const metrics = await (await fetch(address)).text();
  expect(metrics).toContain("telex_");
  const running = await everythingIn(join(cwd, "telex-data", "."));
  expect(await telexHere(["backup", "copy"], { cwd })).toMatchObject({ code: 0 });
  await server.stop();
  expect(await telexHere(["export", "exported"], { cwd })).toMatchObject({ code: 0 });
  // The only file that contains a secret on purpose: its link was used.
  const link = join(cwd, "telex-data", "setup-one.link");
  const setup = (await readFile(link, "latin1")).trim();
  await rm(link);
  const written = [server.log(), metrics, running.replaceAll(setup, ""), await everythingIn(cwd)].join("\n");
  expect(written).toContain("account.opened");
  expect(written.length).toBeGreaterThan(100_000);
  expect(secrets.filter((secret) => written.includes(secret))).toEqual([]);
});
