import { randomUUID } from "node:crypto";
import type { ChatPart, ReplyPerson, ToolCall, ToolUse } from "@telex/core";
import { z } from "zod";
import type { WaitingAnswers } from "./answers.ts";
import { mostAsked, mostShown } from "./bounds.ts";
import { cut, plainText, visibleJson } from "./text.ts";
import type { OfferedTool } from "./toolbox.ts";

export interface CallDeps {
  readonly tools: ReadonlyMap<string, OfferedTool>;
  readonly person: ReplyPerson;
  readonly answers: WaitingAnswers;
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly now: () => number;
}

const fields = z.record(z.string(), z.unknown());

/** The arguments of a call; null if they are not an object. */
function argumentsOf(json: string): Readonly<Record<string, unknown>> | null {
  try {
    return fields.parse(JSON.parse(json.trim() || "{}"));
  } catch {
    return null;
  }
}

/** Asks the person. False without permission, also if the question could not be sent. */
async function* askPerson({ person, answers, signal }: CallDeps, use: ToolUse): AsyncGenerator<ChatPart, boolean> {
  const { userId, answersTo: callId = use.callId } = person;
  const asking = new AbortController();
  // Before the question goes out: the answer may come immediately.
  const answer = answers.wait({ userId, callId, signal: AbortSignal.any([signal, asking.signal]) });
  try {
    yield { kind: "tool_use", use: { ...use, state: "asked" } };
    await person.ask?.(use);
    return await answer;
  } catch {
    return false;
  } finally {
    asking.abort();
  }
}

/** The reason why a call cannot run, for the model. */
function faultOf(
  { person }: CallDeps,
  tool: OfferedTool | undefined,
  shown: string,
  input: object | null,
): string | null {
  if (tool === undefined) return "There is no such tool.";
  if (input === null) return "The arguments are not a JSON object.";
  const most = mostAsked[person.place];
  if (!tool.tool.asks || shown.length <= most) return null;
  return `The person must see the arguments to allow the call: they may have at most ${most} characters.`;
}

/**
 * Runs a call that a model asks for, and reports its progress. It runs at most once.
 * @param time milliseconds that are left for calls
 * @returns the result for the model, and the milliseconds that the call took
 */
export async function* runCall(
  deps: CallDeps,
  call: ToolCall,
  time: number,
): AsyncGenerator<ChatPart, { readonly text: string; readonly ms: number }> {
  const tool = deps.tools.get(call.name);
  const args = argumentsOf(call.arguments);
  const use: ToolUse = {
    callId: randomUUID(),
    server: tool?.server.name ?? "?",
    tool: tool?.tool.name ?? plainText(cut(call.name, 64)),
    arguments: args === null ? visibleJson(cut(call.arguments, mostShown)) : visibleJson(args),
    state: "asked",
    result: "",
    ms: 0,
  };
  const end = (state: ToolUse["state"], text: string, ms = 0): ChatPart => ({
    kind: "tool_use",
    use: { ...use, arguments: cut(use.arguments, mostShown), state, result: cut(text, mostShown), ms },
  });
  const fault = faultOf(deps, tool, use.arguments, args);
  if (fault !== null || tool === undefined) {
    const text = fault ?? "";
    yield end("failed", text);
    return { text, ms: 0 };
  }
  if (tool.tool.asks && !(yield* askPerson(deps, use))) {
    const text = "The person did not allow this call. Do not ask for it again.";
    yield end("refused", text);
    return { text, ms: 0 };
  }
  yield end("called", "");
  const began = deps.now();
  const { signal } = deps;
  const limit = Math.min(time, tool.server.options.seconds * 1000);
  const { isOk, text } = await tool.server.call(tool.tool, args ?? {}, { signal, time: limit });
  const ms = Math.max(0, Math.round(deps.now() - began));
  yield end(isOk ? "done" : "failed", text, ms);
  return { text, ms };
}
