import type { Channel } from "./channel.ts";
import { chatChannel } from "./chat.ts";
import { messagesChannel } from "./messages.ts";
import { teleprinterChannel } from "./teleprinter.ts";

/** Every socket there is. */
export const channels: readonly Channel[] = [messagesChannel, teleprinterChannel, chatChannel];
