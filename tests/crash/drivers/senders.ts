import { teleprinterContract } from "@telex/core/contract";
import type { Random } from "@telex/conformance/testing";
import type { Life } from "../support/life.ts";
import { paths } from "../support/paths.ts";
import { complain, count, makeWord, pick, type Printer, type Unanswered, whileAlive, type World } from "../world.ts";

type Call = "send" | "sync";

const schemas = { send: teleprinterContract.send.output, sync: teleprinterContract.sync.output };

async function store(
  world: World,
  life: Life,
  call: Call,
  text: Partial<Unanswered<Printer>> & { to: Printer; word: string },
): Promise<void> {
  const { to: printer, word, nonce } = text;
  printer.texts.try(word);
  const fields = { deviceId: printer.deviceId, content: word, ...(nonce !== undefined && { nonce }) };
  const outcome = await life.apis.alice.post(paths[call], fields, schemas[call]);
  count(world, life, nonce === undefined ? call : `${call} with a nonce`, outcome);
  complain(world, call, outcome);
  if (outcome.kind === "done") {
    world.problems.push(...printer.texts.acknowledge(word, outcome.value.id));
    if (call === "send" && outcome.value.delivered === 1) printer.deliveries.settle(outcome.value.id, "sender");
  }
  const list = call === "send" ? world.unanswered.sends : world.unanswered.syncs;
  if (outcome.kind === "unknown" && nonce !== undefined) list.push({ to: printer, word, nonce });
}

/** Sends a text with or without a nonce, and sometimes repeats one with a nonce. */
async function sendOne(world: World, life: Life, random: Random, call: Call, to: Printer): Promise<void> {
  const word = makeWord(world, call);
  if (random.chance(0.5)) return await store(world, life, call, { to, word });
  const text = { to, word, nonce: `nonce-${word}` };
  const times = random.chance(0.3) ? 2 : 1;
  // Simultaneously or one after the other: the second response must equal the first.
  if (random.chance(0.5)) await Promise.all(Array.from({ length: times }, () => store(world, life, call, text)));
  else for (let time = 0; time < times; time += 1) await store(world, life, call, text);
}

/** Repeats calls that an earlier server did not answer. */
async function repeatAll(world: World, life: Life, call: Call): Promise<void> {
  const list = call === "send" ? world.unanswered.sends : world.unanswered.syncs;
  for (const text of list.splice(0)) {
    if (life.dying) list.push(text);
    else await store(world, life, call, text);
  }
}

/** Sends texts to the printers and from them. */
export async function driveSenders(world: World, life: Life, random: Random): Promise<void> {
  await Promise.all([repeatAll(world, life, "send"), repeatAll(world, life, "sync")]);
  await Promise.all(
    (["send", "send", "sync"] as const).map(async (call, index) => {
      const own = random.fork(index);
      await whileAlive(life, own, () => sendOne(world, life, own, call, pick(own, world.printers)));
    }),
  );
}
