import { expect, it } from "vitest";
import { channelTable } from "./table.ts";
import type { ChannelRow } from "./row.ts";

const { rooms, teleprinter, chat } = channelTable;

it("does not compile without a row for an operation, a connection command, an event or a piece", () => {
  const { send: _, ...noSend } = rooms.commands;
  // @ts-expect-error: messages.send has no row
  const first: ChannelRow<"messages"> = { ...rooms, commands: noSend };

  const { poll: __, ...noPoll } = teleprinter.commands;
  // @ts-expect-error: teleprinter.poll has no row
  const second: ChannelRow<"teleprinter"> = { ...teleprinter, commands: noPoll };

  const { quota: ___, ...noQuota } = chat.commands;
  // @ts-expect-error: ai.quota has no row
  const third: ChannelRow<"ai"> = { ...chat, commands: noQuota };

  const { ack: ____, ...noAck } = teleprinter.commands;
  // @ts-expect-error: the command of connections ack has no row
  const fourth: ChannelRow<"teleprinter"> = { ...teleprinter, commands: noAck };

  // @ts-expect-error: the event gap has no frame
  const fifth: ChannelRow<"messages"> = { ...rooms, events: { message: "GroupMessage" } };

  const { pieces: _____, ...noPieces } = chat.commands.chat;
  // @ts-expect-error: the piece delta has no frame
  const sixth: ChannelRow<"ai"> = { ...chat, commands: { ...chat.commands, chat: noPieces } };

  const complete: ChannelRow<"messages"> = rooms;
  expect([first, second, third, fourth, fifth, sixth].map(({ path }) => path)).toContain(complete.path);
});
