import { teleprinterContract } from "@telex/core/contract";
import type { Random } from "@telex/conformance/testing";
import type { Possible } from "../model/possible.ts";
import { anything, type Outcome } from "../support/api.ts";
import type { Life } from "../support/life.ts";
import { paths } from "../support/paths.ts";
import { complain, count, makeWord, pick, whileAlive, type World } from "../world.ts";

type Change = ReturnType<Possible<string>["becomes"]>;

const settle = (change: Change, outcome: Outcome<unknown>): void => {
  if (outcome.kind === "done") change.became();
  if (outcome.kind === "refused") change.stayed();
};

async function claim(world: World, life: Life, deviceId: string, who: "alice" | "bob"): Promise<void> {
  const device = world.registry.get(deviceId);
  const was = device?.certain ?? "";
  const name = makeWord(world, "name");
  const mayHave = was === "absent" || was.startsWith(who);
  const change = mayHave ? device?.becomes(`${who}:${name}`) : undefined;
  const outcome = await life.apis[who].post(paths.register, { deviceId, name }, teleprinterContract.register.output);
  count(world, life, "register", outcome);
  if (change !== undefined) {
    settle(change, outcome);
    complain(world, "register", outcome);
  } else if (outcome.kind === "done" && was !== "")
    world.problems.push(`register: ${deviceId} of ${was} went to ${who}`);
}

/** Two users register the same free device simultaneously; one succeeds. */
async function race(world: World, life: Life, deviceId: string): Promise<void> {
  const device = world.registry.get(deviceId);
  if (device === undefined) return;
  const names = { alice: makeWord(world, "name"), bob: makeWord(world, "name") };
  const changes = { alice: device.becomes(`alice:${names.alice}`), bob: device.becomes(`bob:${names.bob}`) };
  const ask = async (who: "alice" | "bob"): Promise<Outcome<unknown>> =>
    await life.apis[who].post(paths.register, { deviceId, name: names[who] }, teleprinterContract.register.output);
  const [alice, bob] = await Promise.all([ask("alice"), ask("bob")]);
  count(world, life, "register", alice);
  count(world, life, "register", bob);
  if (alice.kind === "done") changes.alice.became();
  if (bob.kind === "done") changes.bob.became();
  if (alice.kind === "done" && bob.kind === "done") world.problems.push(`register: ${deviceId} went to both`);
  if (alice.kind === "refused" && bob.kind === "refused") world.problems.push(`register: ${deviceId} went to nobody`);
}

async function free(world: World, life: Life, deviceId: string, who: "alice" | "bob"): Promise<void> {
  const change = world.registry.get(deviceId)?.becomes("absent");
  const outcome = await life.apis[who].post(paths.unregister, { deviceId }, anything);
  count(world, life, "unregister", outcome);
  complain(world, "unregister", outcome);
  if (change !== undefined) settle(change, outcome);
}

/** Registers, renames, races for and unregisters devices. */
export async function driveRegistry(world: World, life: Life, random: Random): Promise<void> {
  await whileAlive(life, random, async () => {
    const deviceId = pick(random, [...world.registry.keys()]);
    const value = world.registry.get(deviceId)?.certain;
    if (value === undefined) return;
    const owner = value.startsWith("alice:") ? "alice" : "bob";
    if (value === "absent" && random.chance(0.5)) await race(world, life, deviceId);
    else if (value !== "absent" && random.chance(0.4)) await free(world, life, deviceId, owner);
    else await claim(world, life, deviceId, random.chance(0.5) ? "alice" : "bob");
  });
}
