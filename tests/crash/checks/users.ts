import { aiContract } from "@telex/core/contract";
import { anything, createApi, valueOf } from "../support/api.ts";
import type { Life } from "../support/life.ts";
import { paths } from "../support/paths.ts";
import type { Check, Reply, World } from "../world.ts";

const messages = aiContract.conversationMessages.output;

/** Issued tokens work, and revoked ones do not. */
export const checkTokens: Check = async (world, life, full) => {
  const all = [...world.tokens];
  for (const [token, isGood] of full ? all : all.slice(-12)) {
    const outcome = await createApi(life.url, token).get(paths.userId, {}, anything);
    const could = isGood.toString();
    if (outcome.kind === "refused" && outcome.status !== 401) world.problems.push(`token: ${JSON.stringify(outcome)}`);
    if (!isGood.observe(outcome.kind === "done")) world.problems.push(`token: ${outcome.kind}, and good was ${could}`);
  }
};

/** The questions and replies of a conversation, oldest first. */
async function readConversation(life: Life, conversationId: number): Promise<string[]> {
  const texts: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const path = `${paths.conversations}/${conversationId}/messages`;
    const fields: Record<string, string | number> = { pageSize: 100, ...(cursor !== "" && { cursor }) };
    const page = valueOf(await life.apis.alice.get(path, fields, messages), "conversation");
    texts.push(...page.messages.map(({ content }) => content));
    cursor = page.nextPageCursor;
  }
  return texts.toReversed();
}

function checkTurns(
  { problems, replies }: World,
  id: number,
  texts: readonly string[],
  answered: readonly Reply[],
): void {
  const turns = texts
    .filter((_, index) => index % 2 === 0)
    .map((question, index) => ({ question, answer: texts[2 * index + 1] }));
  if (texts.length % 2 !== 0) problems.push(`chat: a question of conversation ${id} is kept without its answer`);
  for (const { question } of turns) {
    if (!replies.questions.has(question)) problems.push(`chat: "${question}" was not asked`);
  }
  if (new Set(turns.map(({ question }) => question)).size !== turns.length)
    problems.push(`chat: ${id} has a turn twice`);
  for (const { question, answer } of answered) {
    const turn = turns.find((one) => one.question === question);
    if (turn?.answer !== answer)
      problems.push(`chat: "${question}" was answered, and is kept as ${JSON.stringify(turn)}`);
  }
}

/** Every answered question is stored once with its reply, and every reply has counted. */
export const checkChat: Check = async (world, life, full) => {
  const { answered, asked, tokens } = world.replies;
  const recent = full ? answered : answered.slice(-20);
  for (const id of new Set(recent.map(({ conversationId }) => conversationId))) {
    const texts = await readConversation(life, id);
    checkTurns(
      world,
      id,
      texts,
      answered.filter(({ conversationId }) => conversationId === id),
    );
  }
  const quota = valueOf(await life.apis.alice.get(paths.quota, {}, aiContract.quota.output), "quota");
  const { messageCount, tokenCount } = quota;
  if (messageCount < answered.length || messageCount > asked || tokenCount < tokens) {
    world.problems.push(
      `quota: ${messageCount} replies of ${answered.length} to ${asked}, ${tokenCount} tokens of ${tokens}`,
    );
  }
  const { allocationMax } = valueOf(await life.apis.bob.get(paths.quota, {}, aiContract.quota.output), "quota");
  const could = world.allocation.toString();
  if (!world.allocation.observe(allocationMax)) world.problems.push(`quota set: ${allocationMax}, and was ${could}`);
};
