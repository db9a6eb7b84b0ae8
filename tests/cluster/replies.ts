import { contracts } from "@telex/core/contract";
import { at } from "test-support/json";
import { type Api, valueOf } from "../crash/support/api.ts";
import { paths } from "../crash/support/paths.ts";
import { readReply } from "./events.ts";
import type { Person } from "./ground.ts";
import { count, retryPause, pause, type Run } from "./run.ts";

/** A reply that its reader received completely. */
interface Reply {
  readonly conversationId: number;
  readonly question: string;
  readonly answer: string;
  readonly tokens: number;
}

/** The questions and replies of a run. */
export interface Replies {
  /** Questions that were sent, each once. */
  readonly asked: Set<string>;
  readonly answered: Reply[];
}

/** The reply in the data of its `ChatResult`; null if there is none, or if it ended early. */
export function replyOf(result: unknown, question: string): Reply | null {
  // A server that stops gracefully ends its replies early.
  if (at(result, "finishReason") !== "stop") return null;
  const [conversationId, answer] = [Number(at(result, "conversationId")), String(at(result, "content"))];
  return { conversationId, question, answer, tokens: Number(at(result, "usage", "totalTokens")) };
}

/** Asks a slow model, in existing conversations and in new ones. Each question is asked once. */
export async function ask(run: Run, who: Person, name: string): Promise<void> {
  const { asked, answered } = run.replies;
  for (let number = 1; !run.isOver; number += 1) {
    const question = `${name} asks for the ${number}. time and expects these words`;
    const last = run.random.chance(0.7) ? answered.at(-1) : undefined;
    asked.add(question);
    const old = last === undefined ? {} : { conversationId: last.conversationId };
    const { result } = await readReply({ ...run, token: who.token }, { ...old, content: question });
    const reply = replyOf(result, question);
    count(run, "ask", reply !== null);
    if (reply === null) await retryPause();
    else if (reply.answer !== question) run.problems.push(`"${question}" was answered with "${reply.answer}"`);
    if (reply !== null) answered.push(reply);
    await pause(run, 100);
  }
}

/** The questions and answers of a conversation, oldest first. */
async function readTurns(api: Api, conversationId: number): Promise<string[]> {
  const texts: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const fields: Record<string, string | number> = { pageSize: 100, ...(cursor !== "" && { cursor }) };
    const outcome = await api.get(
      `${paths.conversations}/${conversationId}/messages`,
      fields,
      contracts.ai.conversationMessages.output,
    );
    const page = valueOf(outcome, "conversation");
    texts.push(...page.messages.map(({ content }) => content));
    cursor = page.nextPageCursor;
  }
  return texts.toReversed();
}

function checkTurns({ replies, problems }: Run, texts: readonly string[], answered: readonly Reply[]): void {
  const turns = texts.flatMap((question, index) =>
    index % 2 === 0 ? [[question, texts[index + 1] ?? ""] as const] : [],
  );
  for (const { question, answer } of answered) {
    const kept = turns.filter(([asked]) => asked === question);
    if (kept.length !== 1 || kept[0]?.[1] !== answer) problems.push(`"${question}" is kept ${kept.length} times`);
  }
  for (const [question, answer] of turns) {
    const isAsked = replies.asked.has(question) && question.startsWith(answer);
    if (!isAsked) problems.push(`"${question}" with "${answer}" is kept, and nobody asked this`);
    if (turns.filter(([asked]) => asked === question).length > 1) problems.push(`"${question}" is kept twice`);
  }
}

/** Every complete reply is stored once and counts once. An incomplete one counts at most once. */
export async function checkReplies(run: Run, api: Api): Promise<void> {
  const { asked, answered } = run.replies;
  const conversations = Map.groupBy(answered, ({ conversationId }) => conversationId);
  for (const [id, replies] of conversations) checkTurns(run, await readTurns(api, id), replies);
  const { messageCount, tokenCount } = valueOf(await api.get(paths.quota, {}, contracts.ai.quota.output), "quota");
  const tokens = answered.reduce((sum, reply) => sum + reply.tokens, 0);
  if (messageCount < answered.length || messageCount > asked.size) {
    run.problems.push(`${messageCount} replies were counted: ${asked.size} asked for, ${answered.length} complete`);
  }
  if (tokenCount < tokens) run.problems.push(`${tokenCount} tokens were counted, and ${tokens} used`);
}
