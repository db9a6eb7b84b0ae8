import type { Random } from "@telex/conformance/testing";
import { parse, textAt } from "test-support/json";
import { finished, start } from "test-support/command";
import { Possible } from "../model/possible.ts";
import type { Life } from "../support/life.ts";
import { makeWord, pick, type World } from "../world.ts";

/** The output of a command; null if it was killed first. */
type Printed = string | null;

/** Runs an operator's command in its own process, and kills it after `timeLimit` milliseconds, if not null. */
async function run(world: World, args: readonly string[], timeLimit: number | null): Promise<Printed> {
  const child = start([...args, "--data", world.folder, "--json"]);
  const timer = timeLimit === null ? undefined : setTimeout(() => child.kill("SIGKILL"), timeLimit);
  const { code, stdout, stderr } = await finished(child);
  clearTimeout(timer);
  const printed = stdout.endsWith("\n") ? stdout : null;
  const kind = `telex ${args.slice(0, 2).join(" ")}`;
  const counts = world.counts.get(kind) ?? { done: 0, unknown: 0, refused: 0 };
  world.counts.set(kind, counts);
  counts[printed === null ? "unknown" : "done"] += 1;
  if (code !== 0 && code !== null) world.problems.push(`${kind}: ${code} ${stderr}`);
  return printed;
}

type Step = (world: World, random: Random, timeLimit: number | null) => Promise<void>;

const addUser: Step = async (world, _random, timeLimit) => {
  const ext = makeWord(world, "ext");
  const isThere = new Possible(false);
  world.newUsers.set(ext, isThere);
  const change = isThere.becomes(true);
  if ((await run(world, ["user", "add", ext, "--ext", ext], timeLimit)) !== null) change.became();
};

const issueToken: Step = async (world, _random, timeLimit) => {
  const printed = await run(world, ["token", "issue", "--user", String(world.alice.id), "--scope", "chat"], timeLimit);
  if (printed !== null) world.tokens.set(textAt(parse(printed), "token"), new Possible(true));
};

const revokeToken: Step = async (world, random, timeLimit) => {
  const good = [...world.tokens].filter(([, isGood]) => isGood.certain === true);
  if (good.length === 0) return await issueToken(world, random, timeLimit);
  const [token, isGood] = pick(random, good);
  const change = isGood.becomes(false);
  if ((await run(world, ["token", "revoke", token], timeLimit)) !== null) change.became();
};

const setQuota: Step = async (world, _random, timeLimit) => {
  const max = 1000 + world.words;
  const change = world.allocation.becomes(max);
  const args = [
    "quota",
    "set",
    "--user",
    String(world.bob.id),
    "--unit",
    "token",
    "--max",
    String(max),
    "--period",
    "monthly",
  ];
  if ((await run(world, args, timeLimit)) !== null) change.became();
};

/** Runs operator commands while the server runs, and kills one in four. */
export async function driveOperator(world: World, life: Life, random: Random): Promise<void> {
  while (!life.dying) {
    const timeLimit = random.chance(0.25) ? 150 + random.next() * 500 : null;
    await pick(random, [addUser, issueToken, issueToken, revokeToken, setQuota])(world, random, timeLimit);
  }
}
