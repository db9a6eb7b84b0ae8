import { createLogCollector, createManualClock, ticks } from "@telex/conformance/testing";
import { expect, it } from "vitest";
import { createReplays } from "./replays.ts";

/** Events of now, whose claims the test answers. */
function scene() {
  const clock = createManualClock();
  const log = createLogCollector();
  const claims: PromiseWithResolvers<boolean>[] = [];
  const replays = createReplays({
    clock,
    log,
    claim() {
      const answer = Promise.withResolvers<boolean>();
      claims.push(answer);
      return answer.promise;
    },
  });
  const isOld = (signature: string, account = "bot-1") =>
    replays.isOld(account, signature, { time: clock.now() / 1000 });
  return { clock, log, claims, isOld };
}

it("events are claimed simultaneously, and known in their order", async () => {
  const { claims, isOld } = scene();
  const known: string[] = [];
  const note = async (signature: string, account?: string) =>
    known.push(`${signature} ${await isOld(signature, account)}`);
  const all = [note("a"), note("b"), note("a"), note("c", "bot-2")];
  expect(claims).toHaveLength(3);
  const [first, second, other] = claims;
  second?.resolve(false);
  other?.resolve(true);
  await ticks();
  expect(known).toEqual(["c false"]);
  first?.resolve(true);
  await Promise.all(all);
  expect(known).toEqual(["c false", "a false", "b true", "a true"]);
});

it("claims that the storage refuses let events count once on this server, and are logged once a minute for each account", async () => {
  const { clock, log, claims, isOld } = scene();
  const refused = async (signature: string, account?: string) => {
    const found = isOld(signature, account);
    claims.at(-1)?.reject(new Error("The storage is away."));
    return found;
  };
  expect([await refused("a"), await refused("b"), await refused("c", "bot-2"), await isOld("a")]).toEqual([
    false,
    false,
    false,
    true,
  ]);
  await clock.advance(60_000);
  await refused("d");
  const told = log.lines.filter((line) => line.includes("onebot.claim_failed"));
  expect(told.map((line) => /bot-\d/.exec(line)?.[0])).toEqual(["bot-1", "bot-2", "bot-1"]);
  expect(told[0]).toContain("The storage is away.");
});
