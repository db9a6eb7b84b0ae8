import type { Channel } from "./channel.ts";
import { chatChannel } from "./chat.ts";
import { roomsChannel } from "./rooms.ts";
import type { ChannelName } from "./table.ts";
import { teleprinterChannel } from "./teleprinter.ts";

const byName: Readonly<Record<ChannelName, Channel>> = {
  rooms: roomsChannel,
  teleprinter: teleprinterChannel,
  chat: chatChannel,
};

/** All channels of Telex. */
export const channels: readonly Channel[] = Object.values(byName);
