import { at } from "test-support/json";
import { type Heard, readReply } from "./events.ts";
import type { Person } from "./ground.ts";
import { replyOf } from "./replies.ts";
import { count, retryPause, pause, type Place, type Run, times } from "./run.ts";

/** A question whose reply takes a few seconds for a hundred words. */
const questionOf = (name: string, words = 60): string =>
  `${name} follows a reply: ${times(words, (index) => `word${index}`).join(" ")}`;

/** The part of a reply that its reader has followed. */
interface Followed {
  readonly ids: string[];
  text: string;
  result: unknown;
  error: string | null;
}

/** The statuses after a kill of the server or of its database. */
const passing: ReadonlySet<number> = new Set([0, 429, 503]);

const take = (followed: Followed, { ids, pieces, result, error }: Heard): void => {
  followed.ids.push(...ids);
  followed.text += pieces.join("");
  Object.assign(followed, { result, error });
};

/** Each event must arrive once and in order, and the pieces must match the question. */
function checkFollowed({ problems }: Run, question: string, { ids, text, result }: Followed): void {
  const numbers = ids.map((id) => Number(id.split(":")[1]));
  const isInOrder = numbers.every((number, index) => number === index + 1);
  if (!isInOrder) problems.push(`"${question}" was followed over the events ${numbers.join(" ")}`);
  if (!question.startsWith(text)) problems.push(`"${question}" was followed as "${text}"`);
  const isStopped = at(result, "finishReason") !== "stop";
  if (result !== null && !isStopped && text !== question) problems.push(`"${question}" ended as "${text}"`);
}

/**
 * Asks one server and follows the reply on the others, a few events on each. Skips a killed server, as a load balancer
 * does.
 */
async function followOnce(run: Run, who: Person, question: string, places: readonly Place[]): Promise<Followed> {
  const followed: Followed = { ids: [], text: "", result: null, error: null };
  const [own, ...others] = places;
  if (own === undefined) throw new Error("There are no servers.");
  run.replies.asked.add(question);
  take(followed, await readReply({ ...own, ...who }, { content: question }, { most: 3 }));
  for (let turn = 0; followed.result === null && followed.error === null; turn += 1) {
    const lastEventId = followed.ids.at(-1);
    const place = others[turn % others.length];
    if (lastEventId === undefined || place === undefined) break;
    const heard = await readReply({ ...place, ...who }, { lastEventId }, { most: 8 });
    if (passing.has(heard.status)) await retryPause();
    else take(followed, heard);
  }
  checkFollowed(run, question, followed);
  return followed;
}

/** Asks and follows until the run is over. Each question is asked once; some replies are short, others take seconds. */
export async function follow(run: Run, who: Person, name: string): Promise<void> {
  for (let number = 1; !run.isOver; number += 1) {
    const places = run.places.toSorted(() => run.random.next() - 0.5);
    const question = questionOf(`${name} ${number}`, 10 + Math.floor(run.random.next() * 50));
    const { ids, result, error } = await followOnce(run, who, question, places);
    const reply = replyOf(result, question);
    const hasBegun = ids.length > 0;
    count(run, "ask for a reply to follow", hasBegun);
    if (hasBegun) count(run, "follow a reply that has begun", reply !== null);
    if (reply !== null) run.replies.answered.push(reply);
    else if (hasBegun) count(run, `end of a reply that was told: ${error}`, error !== null);
    await pause(run, 500);
  }
}

/** Without kills, servers that do not run a reply must be able to follow it to its end. */
export async function checkFollowing(run: Run, places: readonly Place[], who: Person): Promise<void> {
  const [own] = places;
  const question = questionOf(`in calm, somebody on ${own?.name}`);
  const { result, error } = await followOnce(run, who, question, places);
  const reply = replyOf(result, question);
  if (reply === null) run.problems.push(`a reply of ${own?.name} was not followed to its end: ${error}`);
  else run.replies.answered.push(reply);
}

/**
 * A reader who follows a reply must learn that its server was killed.
 * @param kill ends the first server
 * @returns milliseconds from the kill until the reader received the error
 */
export async function checkToldOfKill(
  run: Run,
  [own, other]: readonly Place[],
  who: Person,
  kill: () => Promise<void>,
): Promise<number> {
  if (own === undefined || other === undefined) throw new Error("A server is missing.");
  const question = questionOf(`until ${own.name} is killed, somebody`, 400);
  run.replies.asked.add(question);
  const { ids } = await readReply({ ...own, ...who }, { content: question }, { most: 3 });
  const isFollowed = Promise.withResolvers<void>();
  const reading = readReply({ ...other, ...who }, { lastEventId: ids.at(-1) ?? "" }, { onText: isFollowed.resolve });
  await Promise.race([isFollowed.promise, reading]);
  const killed = performance.now();
  await kill();
  const { error, result } = await reading;
  if (error !== "ai_unavailable") {
    run.problems.push(`the reader of a killed server was told ${error}: ${JSON.stringify(result)}`);
  }
  return performance.now() - killed;
}
