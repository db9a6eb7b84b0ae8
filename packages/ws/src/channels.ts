import type { Channel } from "./channel.ts";
import { messagesChannel } from "./messages.ts";

/** Every socket there is. */
export const channels: readonly Channel[] = [messagesChannel];
