import {
  type ChatMessage,
  type ChatModel,
  type ChatPart,
  type ChatRequest,
  type ChatUsage,
  type ReplyPerson,
  TelexError,
  type ToolCall,
} from "@telex/core";
import type { WaitingAnswers } from "./answers.ts";
import { leastTime, mostCalls } from "./bounds.ts";
import { type CallDeps, runCall } from "./call.ts";
import { fitMessages, fitTools } from "./prompt.ts";
import { askOnce } from "./round.ts";
import type { ToolServer } from "./server.ts";
import { type OfferedTool, offerTools } from "./toolbox.ts";

interface ToolModelDeps {
  readonly servers: readonly ToolServer[];
  readonly answers: WaitingAnswers;
  /** Rounds of calls of one reply. */
  readonly steps: number;
  /** Milliseconds of all calls of one reply. */
  readonly time: number;
}

const none: ChatUsage = { promptTokens: 0, completionTokens: 0, estimated: false };

const added = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);

const add = (a: ChatUsage, b: ChatUsage): ChatUsage => ({
  promptTokens: a.promptTokens + b.promptTokens,
  completionTokens: a.completionTokens + b.completionTokens,
  cachedTokens: added(a.cachedTokens, b.cachedTokens),
  reasoningTokens: added(a.reasoningTokens, b.reasoningTokens),
  estimated: a.estimated || b.estimated,
});

interface Reply extends CallDeps {
  readonly model: ChatModel;
  readonly request: ChatRequest;
  readonly person: ReplyPerson;
  readonly steps: number;
}

const notRun = { text: "Too many calls: this one did not run.", ms: 0 };

/** Runs the calls of a step one after another. Returns their results for the model, and the time that is left. */
async function* runCalls(
  reply: Reply,
  calls: readonly ToolCall[],
  time: number,
): AsyncGenerator<ChatPart, { readonly results: ChatMessage[]; readonly time: number }> {
  const results: ChatMessage[] = [];
  let left = time;
  for (const [index, call] of calls.entries()) {
    const isOver = index >= mostCalls || left < leastTime;
    const { text, ms } = isOver ? notRun : yield* runCall(reply, call, left);
    left -= ms;
    results.push({ role: "tool", toolCallId: call.id, content: text });
  }
  return { results, time: left };
}

/** The steps of a reply. The tokens of each are set aside before it begins. */
async function* replyInSteps(reply: Reply, time: number): AsyncGenerator<ChatPart> {
  const { model, request, person, steps } = reply;
  const tools = fitTools(
    model,
    Array.from(reply.tools.values(), ({ definition }) => definition),
  );
  let since: ChatMessage[] = [];
  let [used, left] = [none, time];
  for (let step = 0; step <= steps; step += 1) {
    const messages = fitMessages(model, request.maxOutputTokens, { before: request.messages, since, tools });
    await person.step({ messages, tools, used });
    // The last answer is one without calls. The tools stay listed, because providers require this if calls were made.
    const isLast = step === steps || left < leastTime;
    const toolChoice = isLast ? "none" : "auto";
    const round = yield* askOnce(model, { ...request, person: undefined, messages, tools, toolChoice });
    used = add(used, round.usage);
    const { calls, finishReason } = round;
    if (calls.length === 0 || finishReason !== "tool_calls") {
      yield { kind: "end", usage: used, finishReason };
      return;
    }
    if (isLast) break;
    const ran = yield* runCalls(reply, calls, left);
    left = ran.time;
    since = [...since, { role: "assistant", content: round.text, toolCalls: calls }, ...ran.results];
  }
  throw new TelexError("ai_unavailable", { cause: new Error("The model asks for tools without an end.") });
}

/**
 * A model that calls the tools of the operator's servers for people in chats, rooms and for devices. It is itself a model: its callers
 * do not see the steps. A request without a person, such as one of `/v1`, reaches the model unchanged.
 */
export function createToolModel(name: string, model: ChatModel, deps: ToolModelDeps): ChatModel {
  if (model.takesTools !== true || deps.servers.length === 0) return model;
  const { contextTokens, maxOutputTokens, takesImages, takesTools, takesSettings } = model;
  const { answers, steps, time, servers } = deps;
  async function* reply(request: ChatRequest): AsyncGenerator<ChatPart> {
    const { person, signal } = request;
    const tools: ReadonlyMap<string, OfferedTool> =
      person === undefined ? new Map() : await offerTools(servers, name, person);
    if (person === undefined || tools.size === 0) yield* model.reply({ ...request, person: undefined });
    else
      yield* replyInSteps(
        { model, request, person, steps, tools, answers, signal, now: () => performance.now() },
        time,
      );
  }
  const countTokens = (text: string): number => model.countTokens(text);
  return { contextTokens, maxOutputTokens, takesImages, takesTools, takesSettings, countTokens, reply };
}
