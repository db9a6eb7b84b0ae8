import { type Caller, SocketError } from "@telex/ws/client";
import type { Live } from "../../server/live.ts";

/** The settings of replies on a connection. Null uses the default of the server. */
export interface Setting {
  readonly model: string | null;
  readonly systemPrompt: string | null;
  readonly maxOutputTokens: number | null;
}

/** A tool call for which the model needs permission. */
export interface ToolRequest {
  readonly callId: string;
  readonly server: string;
  readonly tool: string;
  /** JSON. */
  readonly arguments: string;
}

/** A piece of a reply: text, a permission request for a tool, or the end of a tool call. */
type Piece = { readonly conversationId: number } & (
  | { readonly delta: string }
  | ToolRequest
  | { readonly callId: string; readonly name: string; readonly ok: boolean }
);

/** The first and the last ID of the messages that an edited question replaces. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** An uploaded file of a question. */
export interface AskedFile {
  readonly file_id: string;
  readonly name: string;
}

/** The parts of a question other than its text. */
export interface Extras {
  readonly replaces: Range | null;
  readonly files: readonly AskedFile[];
}

/** A question. A new conversation has no ID. */
interface Question extends Extras {
  readonly conversationId: number | null;
  readonly content: string;
}

export interface ChatCommands {
  /**
   * Asks a question, and resolves with the ID of the conversation when the reply has ended.
   * @throws SocketError `refused` with the server's error message, `ended` if the connection is lost
   */
  readonly chat: (question: Question, onPiece: (piece: Piece) => void) => Promise<number>;
  /** Stops the reply of a conversation, or all replies in progress if the ID is null. */
  readonly stop: (conversationId: number | null) => void;
  /** Allows or denies a tool call. */
  readonly answer: (callId: string, allow: boolean) => void;
}

/** The error message with which the server rejected a call, or null for any other failure. */
export const refusalOf = (error: unknown): string | null =>
  error instanceof SocketError && error.kind === "refused" ? error.message : null;

/** Applies settings to this connection. Resolves with the error message if the server rejects them, otherwise with null. */
export const set = async (caller: Caller<"chat">, setting: Setting): Promise<string | null> =>
  await caller.call("setting", setting).then(() => null, refusalOf);

/** Sends commands over the current connection. */
export const createCommands = (live: () => Caller<"chat"> & Pick<Live, "state">): ChatCommands => ({
  async chat({ conversationId, replaces, files, content }, onPiece) {
    const target = { ...(conversationId !== null && { conversationId }), ...(replaces !== null && { replaces }) };
    const input = { content, tools: true, ...target, ...(files.length > 0 && { files: [...files] }) };
    return (await live().call("chat", input, ({ data }) => onPiece(data))).conversationId;
  },
  answer(callId, allow) {
    // A failure means that the call is no longer pending. The reply shows its outcome.
    live()
      .call("tool", { callId, allow })
      .catch(() => {});
  },
  stop(conversationId) {
    const { state, call } = live();
    // If stopping fails, the reply ends by itself.
    if (state.peek() === "live") call("stop", { conversationId }).catch(() => {});
  },
});
