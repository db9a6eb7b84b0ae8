import { type Caller, SocketError } from "@telex/ws/client";
import type { Live } from "../../server/live.ts";

/** The settings of replies while the connection lasts; null leaves one to the server. */
export interface Setting {
  readonly model: string | null;
  readonly systemPrompt: string | null;
  readonly maxOutputTokens: number | null;
}

/** A call of a tool for which the model needs permission. */
export interface ToolRequest {
  readonly callId: string;
  readonly server: string;
  readonly tool: string;
  /** JSON. */
  readonly arguments: string;
}

/** A piece of a reply: text, a question about a tool, or the end of a call. */
type Piece = { readonly conversationId: number } & (
  | { readonly delta: string }
  | ToolRequest
  | { readonly callId: string; readonly name: string; readonly ok: boolean }
);

/** The messages that an edited question takes the place of: their first and last id. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** An upload that goes with a question, under its name. */
export interface AskedFile {
  readonly file_id: string;
  readonly name: string;
}

/** The rest of a question: its words are the other part. */
export interface Extras {
  readonly replaces: Range | null;
  readonly files: readonly AskedFile[];
}

/** A question. A new conversation has no id. */
interface Question extends Extras {
  readonly conversationId: number | null;
  readonly content: string;
}

/** The commands of the chat socket. */
export interface ChatCommands {
  /**
   * Asks, and resolves with the id of the conversation when the reply is over.
   * @throws SocketError `refused` with the server's reason, `ended` if the connection is gone
   */
  readonly chat: (question: Question, onPiece: (piece: Piece) => void) => Promise<number>;
  /** Stops the reply of a conversation; all replies in progress if it is null. */
  readonly stop: (conversationId: number | null) => void;
  /** Allows or refuses the call of a tool. */
  readonly answer: (callId: string, allow: boolean) => void;
}

/** The text with which the server refused a call; null for every other failure. */
export const refusalOf = (error: unknown): string | null =>
  error instanceof SocketError && error.kind === "refused" ? error.message : null;

/** Sets it for this connection. Resolves to the server's reason if it refuses, otherwise to null. */
export const set = async (caller: Caller<"chat">, setting: Setting): Promise<string | null> =>
  await caller.call("setting", setting).then(() => null, refusalOf);

/** Commands go over the connection of the moment. */
export const createCommands = (live: () => Caller<"chat"> & Pick<Live, "state">): ChatCommands => ({
  async chat({ conversationId, replaces, files, content }, onPiece) {
    const target = { ...(conversationId !== null && { conversationId }), ...(replaces !== null && { replaces }) };
    const input = { content, tools: true, ...target, ...(files.length > 0 && { files: [...files] }) };
    return (await live().call("chat", input, ({ data }) => onPiece(data))).conversationId;
  },
  answer(callId, allow) {
    // A question that is over has no answer any more: the reply shows how it went on.
    live()
      .call("tool", { callId, allow })
      .catch(() => {});
  },
  stop(conversationId) {
    const { state, call } = live();
    // A reply that cannot be stopped ends by itself.
    if (state.peek() === "live") call("stop", { conversationId }).catch(() => {});
  },
});
