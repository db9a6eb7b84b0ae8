import type { Random } from "@telex/conformance/testing";
import { at, parse } from "test-support/json";
import type { Life } from "../support/life.ts";
import { paths } from "../support/paths.ts";
import { count, makeWord, pick, whileAlive, type World } from "../world.ts";

/** Reads a reply until its end, or until the server dies. */
async function readText(response: Response): Promise<string> {
  let text = "";
  try {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk;
  } catch {
    // The server is gone. The pieces received so far count.
  }
  return text;
}

async function ask(
  life: Life,
  token: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<{ status: number; text: string } | null> {
  try {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = await fetch(`${life.url}${paths.chat}`, { method: "POST", headers, body: JSON.stringify(fields) });
    return { status: response.status, text: await readText(response) };
  } catch {
    return null;
  }
}

const resultOf = (text: string): unknown => {
  const [, data] = /^event: ChatResult\ndata: (.+)\n\n/m.exec(text) ?? [];
  return data === undefined ? null : parse(data);
};

/** Asks the built-in model, in existing conversations and in new ones. */
export async function driveChat(world: World, life: Life, random: Random): Promise<void> {
  const { replies } = world;
  const step = async (): Promise<void> => {
    const question = makeWord(world, "question");
    const known = replies.answered.map(({ conversationId }) => conversationId);
    const old = known.length > 0 && random.chance(0.8) ? { conversationId: pick(random, known.slice(-40)) } : {};
    replies.asked += 1;
    replies.questions.add(question);
    const response = await ask(life, world.alice.token, { ...old, content: question });
    const result = resultOf(response?.text ?? "");
    count(world, life, "chat", result === null ? { kind: "unknown" } : { kind: "done", value: null });
    if (response !== null && response.status !== 200) world.problems.push(`chat: ${response.status} ${response.text}`);
    if (result === null) return;
    replies.tokens += Number(at(result, "usage", "totalTokens"));
    const [conversationId, answer] = [Number(at(result, "conversationId")), String(at(result, "content"))];
    replies.answered.push({ question, answer, conversationId });
  };
  await whileAlive(life, random, step, 60);
}
