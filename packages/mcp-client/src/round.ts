import type { ChatModel, ChatPart, ChatRequest, ChatUsage, ModelFinish, ToolCall, ToolCallPart } from "@telex/core";

/** One answer of a model, which may ask for calls. */
interface Round {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly usage: ChatUsage;
  readonly finishReason: ModelFinish;
}

/** Characters of the arguments of one call. */
const maxArguments = 64 * 1024;
/** Calls whose pieces are kept. */
const maxKept = 128;

/** Assembles the calls of an answer from their pieces. */
function createCalls() {
  const calls = new Map<number, { id: string; name: string; arguments: string }>();
  return {
    hear({ index, id, name, arguments: piece }: ToolCallPart): void {
      const call = calls.get(index) ?? { id: "", name: "", arguments: "" };
      if (calls.size < maxKept) calls.set(index, call);
      call.id = id ?? call.id;
      call.name = name ?? call.name;
      if (call.arguments.length <= maxArguments) call.arguments += piece;
    },
    all: (): ToolCall[] =>
      [...calls].toSorted(([a], [b]) => a - b).map(([index, call]) => ({ ...call, id: call.id || `call_${index}` })),
  };
}

/** Asks the model once, and passes its text on. The calls that it asks for are not part of the reply. */
export async function* askOnce(model: ChatModel, request: ChatRequest): AsyncGenerator<ChatPart, Round> {
  const calls = createCalls();
  let text = "";
  for await (const part of model.reply(request)) {
    if (part.kind === "end") return { text, calls: calls.all(), usage: part.usage, finishReason: part.finishReason };
    if (part.kind === "tool_call") calls.hear(part);
    else {
      if (part.kind === "delta") text += part.delta;
      yield part;
    }
  }
  throw new Error("The reply has no end.");
}
