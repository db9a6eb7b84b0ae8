import { base } from "./base.ts";
import { botNames } from "./bot-names.ts";
import { bots } from "./bots.ts";
import { claims } from "./claims.ts";
import { conversationMessages } from "./conversation-messages.ts";
import { deviceAi } from "./device-ai.ts";
import { deviceGenerations } from "./device-generations.ts";
import { filePutTime } from "./file-put-time.ts";
import { leases } from "./leases.ts";
import { lostReplies } from "./lost-replies.ts";
import { messageHeads } from "./message-heads.ts";
import type { Migration } from "./migration.ts";
import { networkIdsByMessage } from "./network-ids-by-message.ts";
import { networkIdsByRoom } from "./network-ids-by-room.ts";
import { networkMessages } from "./network-messages.ts";
import { outbox } from "./outbox.ts";
import { pairings } from "./pairings.ts";
import { pairingsByAdmins } from "./pairings-by-admins.ts";
import { pairingsIssuerEnd } from "./pairings-issuer-end.ts";
import { printedRooms } from "./printed-rooms.ts";
import { renewal } from "./renewal.ts";
import { roomReading } from "./room-reading.ts";
import { schemaReaders } from "./schema-readers.ts";
import { searchInBackground } from "./search-in-background.ts";
import { searchIndex } from "./search-index.ts";
import { startedReplies } from "./started-replies.ts";
import { uploadShares } from "./upload-shares.ts";
import { uploadsByUser } from "./uploads-by-user.ts";
import { userAi } from "./user-ai.ts";
import { userOneBot } from "./user-one-bot.ts";

/** Every migration, in order. */
export const migrations: readonly Migration[] = [
  base,
  filePutTime,
  conversationMessages,
  pairings,
  deviceAi,
  userAi,
  messageHeads,
  startedReplies,
  deviceGenerations,
  uploadShares,
  networkMessages,
  roomReading,
  uploadsByUser,
  searchIndex,
  outbox,
  searchInBackground,
  userOneBot,
  printedRooms,
  bots,
  leases,
  schemaReaders,
  networkIdsByMessage,
  lostReplies,
  claims,
  pairingsByAdmins,
  renewal,
  networkIdsByRoom,
  pairingsIssuerEnd,
  botNames,
];

/** The version that this program works with. */
export const currentVersion: number = migrations.length;

/** The lowest version of a program that can work on a database of this version. */
export const lowestReaderOf = (version: number): number =>
  Math.max(...migrations.slice(0, version).map((step) => step.readableFrom ?? step.version));
