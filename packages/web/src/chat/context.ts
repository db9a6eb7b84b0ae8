import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Chat } from "./chat.ts";
import type { Render } from "./markdown.ts";

/** What the parts of the page share. */
export interface ChatPageState {
  readonly chat: Chat;
  readonly render: Render;
}

/** Gives {@link ChatPageState} to the components below. */
export const ChatContext = createContext<ChatPageState | null>(null);

/** @throws TypeError outside of the page */
export function useChat(): ChatPageState {
  const state = useContext(ChatContext);
  if (state === null) throw new TypeError("useChat is called outside of the page of conversations");
  return state;
}
