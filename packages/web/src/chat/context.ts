import type { ReadonlySignal, Signal } from "@preact/signals";
import { createRequiredContext } from "../base/required-context.ts";
import type { Chat } from "./state/chat.ts";
import type { Render } from "./markdown.ts";

/** The conversations of an account, or null until the page of conversations is first shown. */
export type ChatSignal = Signal<Chat | null>;

const chatSignal = createRequiredContext<ChatSignal>("useChatSignal");

/** Provides {@link ChatSignal} to the components below. */
export const ChatSignalContext = chatSignal.Context;

/** @throws TypeError if no account is signed in */
export const useChatSignal = chatSignal.use;

/** The shared state of the page. */
export interface ChatPageState {
  readonly chat: Chat;
  /** Null until its code is loaded. */
  readonly render: ReadonlySignal<Render | null>;
}

const chat = createRequiredContext<ChatPageState>("useChat");

/** Provides {@link ChatPageState} to the components below. */
export const ChatContext = chat.Context;

/** @throws TypeError outside of the page of conversations */
export const useChat = chat.use;
