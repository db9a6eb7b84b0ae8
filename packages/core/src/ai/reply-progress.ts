import type { ChatPart, ChatUsage, ModelFinish, ToolCall, ToolCallPart } from "./model.ts";
import type { ToolUse } from "../records/tool-use.ts";
import { cleanText, createStopTexts, createTextPieces, type TextPieces } from "@telex/transcripts";

export interface ReplyProgress {
  /** Adds a piece. Returns the part of the text or of a call that can be passed on, or null. */
  hear(part: ChatPart): string | ToolCallPart | null;
  /** The model that replies, if the model is a list of several. */
  readonly answering: () => string | null;
  readonly answer: () => string;
  readonly toolCalls: () => readonly ToolCall[];
  /** The calls of the operator's tools, each in its latest state. */
  readonly uses: () => readonly ToolUse[];
  readonly usage: () => ChatUsage | null;
  readonly finishReason: () => ModelFinish | null;
  readonly hasBegun: () => boolean;
  /** True once a stop text was found: the model is not needed any more. */
  readonly isStopped: () => boolean;
}

interface CallProgress {
  id: string;
  name: string;
  arguments: string;
  readonly pieces: TextPieces;
}

/** The calls of a reply. The index of a piece names its call. */
function createCalls() {
  const calls = new Map<number, CallProgress>();
  return {
    hear({ index, id, name, arguments: piece }: ToolCallPart): ToolCallPart {
      const call = calls.get(index) ?? { id: "", name: "", arguments: "", pieces: createTextPieces() };
      calls.set(index, call);
      const heard = {
        kind: "tool_call",
        index,
        ...(id === undefined ? {} : { id: cleanText(id) }),
        ...(name === undefined ? {} : { name: cleanText(name) }),
        arguments: call.pieces.add(piece),
      } as const;
      call.id = heard.id ?? call.id;
      call.name = heard.name ?? call.name;
      call.arguments += heard.arguments;
      return heard;
    },
    all: (): ToolCall[] =>
      [...calls]
        .toSorted(([a], [b]) => a - b)
        .map(([, call]) => ({ id: call.id, name: call.name, arguments: call.arguments })),
  };
}

export function createReplyProgress(stops: readonly string[]): ReplyProgress {
  const text = createTextPieces();
  const stop = createStopTexts(stops);
  const calls = createCalls();
  const uses = new Map<string, ToolUse>();
  let answer = "";
  let usage: ChatUsage | null = null;
  let finishReason: ModelFinish | null = null;
  let hasBegun = false;
  let answering: string | null = null;
  const pass = (delta: string): string | null => {
    answer += delta;
    return delta === "" ? null : delta;
  };
  return {
    answering: () => answering,
    hear(part) {
      if (part.kind === "answering") {
        answering = part.model;
        return null;
      }
      hasBegun = true;
      if (part.kind === "tool_call") return calls.hear(part);
      if (part.kind === "tool_use") {
        uses.set(part.use.callId, part.use);
        return null;
      }
      if (part.kind === "end") {
        ({ usage, finishReason } = part);
        return pass(stop.add(text.end()) + stop.end());
      }
      const delta = stop.add(text.add(part.delta));
      if (stop.isFound()) finishReason = "stop";
      return pass(delta);
    },
    answer: () => answer,
    toolCalls: calls.all,
    uses: () => [...uses.values()],
    usage: () => usage,
    finishReason: () => finishReason,
    hasBegun: () => hasBegun,
    isStopped: stop.isFound,
  };
}
