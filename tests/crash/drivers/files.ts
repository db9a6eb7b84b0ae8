import type { StoredFileView } from "@telex/core";
import { bucketContract } from "@telex/core/contract";
import type { Random } from "@telex/conformance/testing";
import { Possible } from "../model/possible.ts";
import type { Outcome } from "../support/api.ts";
import { makeFile } from "../support/files.ts";
import type { Life } from "../support/life.ts";
import { paths } from "../support/paths.ts";
import { type Code, complain, count, pick, type SentFile, whileAlive, type World } from "../world.ts";

const stored = bucketContract.upload.output;

function conclude(
  world: World,
  file: SentFile,
  outcome: Outcome<StoredFileView>,
  change: { became(): void; stayed(): void },
): void {
  if (outcome.kind === "refused") change.stayed();
  if (outcome.kind !== "done") return;
  change.became();
  const { file_id, size } = outcome.value;
  if (file_id !== file.md5 || size !== file.bytes.length)
    world.problems.push(`upload: ${file.md5} became ${file_id}, ${size} bytes`);
}

/** Uploads to the bucket, sometimes bytes that are already stored. */
async function upload(world: World, life: Life, random: Random): Promise<void> {
  const who = random.chance(0.5) ? "alice" : "bob";
  const known = [...world.files.values()].filter(({ owner }) => owner === who);
  const file =
    known.length > 0 && random.chance(0.15) ? pick(random, known) : makeFile(random, who, random.chance(0.5));
  world.files.set(file.md5, file);
  const change = file.stored.becomes(true);
  const outcome = await life.apis[who].upload(paths.upload, file.bytes, stored);
  count(world, life, "upload", outcome);
  complain(world, "upload", outcome);
  conclude(world, file, outcome, change);
}

async function issueCode(world: World, life: Life): Promise<void> {
  const outcome = await life.anybody.get(paths.code, { storageId: "crash" }, bucketContract.generateCode.output);
  count(world, life, "generateCode", outcome);
  complain(world, "generateCode", outcome);
  if (outcome.kind === "done") world.codes.push({ code: outcome.value, spent: new Possible(false), sent: null });
}

async function spend(world: World, life: Life, code: Code, file: SentFile): Promise<Outcome<StoredFileView>> {
  world.files.set(file.md5, file);
  const change = file.stored.becomes(true);
  const outcome = await life.anybody.upload(`${paths.uploadByCode}/${code.code}`, file.bytes, stored);
  count(world, life, "upload by code", outcome);
  conclude(world, file, outcome, change);
  return outcome;
}

/** Uploads once with an unspent code. */
async function uploadByCode(world: World, life: Life, random: Random, code: Code): Promise<void> {
  const file = makeFile(random, null, true);
  code.sent = file;
  const change = code.spent.becomes(true);
  const outcome = await spend(world, life, code, file);
  complain(world, "upload by code", outcome);
  if (outcome.kind === "done") change.became();
}

/** Uploads twice with one code: exactly one upload succeeds. */
async function raceForCode(world: World, life: Life, random: Random, code: Code): Promise<void> {
  const change = code.spent.becomes(true);
  const files = [makeFile(random, null, true), makeFile(random, null, true)];
  const outcomes = await Promise.all(files.map((file) => spend(world, life, code, file)));
  const winners = outcomes.filter(({ kind }) => kind === "done").length;
  if (winners > 0) change.became();
  if (winners > 1) world.problems.push("upload by code: one code took two files");
  const losers = outcomes.flatMap((outcome) => (outcome.kind === "refused" ? [outcome.error] : []));
  if (losers.some((error) => error !== "code_used")) world.problems.push(`upload by code: ${losers.join()}`);
  if (losers.length > 1) world.problems.push("upload by code: one code took no file");
}

/** Uploads again with a spent code. */
async function uploadAgain(world: World, life: Life, random: Random, { code }: Code): Promise<void> {
  const { bytes } = makeFile(random, null, true);
  const outcome = await life.anybody.upload(`${paths.uploadByCode}/${code}`, bytes, stored);
  count(world, life, "upload with a spent code", outcome);
  if (outcome.kind === "done") world.problems.push("upload by code: a spent code took a file");
}

/** Uploads files in both ways; uses codes, races for them, and keeps some. */
export async function driveFiles(world: World, life: Life, random: Random): Promise<void> {
  const byBucket = random.fork(1);
  const byCode = random.fork(2);
  const work = async (): Promise<void> => {
    const fresh = world.codes.filter(({ spent }) => spent.certain === false);
    const spent = world.codes.filter((code) => code.spent.certain === true);
    if (fresh.length < 5 || byCode.chance(0.4)) return await issueCode(world, life);
    if (spent.length > 0 && byCode.chance(0.15)) return await uploadAgain(world, life, byCode, pick(byCode, spent));
    const step = byCode.chance(0.3) ? raceForCode : uploadByCode;
    await step(world, life, byCode, pick(byCode, fresh));
  };
  await Promise.all([
    whileAlive(life, byBucket, () => upload(world, life, byBucket), 60),
    whileAlive(life, byCode, work, 40),
  ]);
}
