import { accounts } from "./users/accounts.ts";
import { amendedMessages } from "./messages/amended-messages.ts";
import { base } from "./base.ts";
import { blocked } from "./users/blocked.ts";
import { prompts } from "./users/prompts.ts";
import { botNames } from "./users/bot-names.ts";
import { bots } from "./users/bots.ts";
import { claims } from "./claims.ts";
import { conversationIds } from "./ai/conversation-ids.ts";
import { conversationMessages } from "./ai/conversation-messages.ts";
import { deviceAi } from "./devices/device-ai.ts";
import { deviceGenerations } from "./devices/device-generations.ts";
import { filePutTime } from "./files/file-put-time.ts";
import { leases } from "./leases.ts";
import { lostReplies } from "./ai/lost-replies.ts";
import { messageHeads } from "./messages/message-heads.ts";
import { namedUploads } from "./files/named-uploads.ts";
import type { Migration } from "../engine/migration.ts";
import { networkIdsByMessage } from "./messages/network-ids-by-message.ts";
import { networkIdsByRoom } from "./messages/network-ids-by-room.ts";
import { networkMessages } from "./messages/network-messages.ts";
import { notices } from "./messages/notices.ts";
import { outbox } from "./messages/outbox.ts";
import { outboxByRoom } from "./messages/outbox-by-room.ts";
import { pairings } from "./users/pairings.ts";
import { pairingsByAdmins } from "./users/pairings-by-admins.ts";
import { pairingsIssuerEnd } from "./users/pairings-issuer-end.ts";
import { deviceReports } from "./devices/reports.ts";
import { deviceSchedules } from "./devices/schedules.ts";
import { deviceRoomLife } from "./devices/room-life.ts";
import { deviceVia } from "./devices/via.ts";
import { printedRooms } from "./devices/printed-rooms.ts";
import { questionFiles } from "./ai/question-files.ts";
import { renewal } from "./messages/renewal.ts";
import { roomReading } from "./messages/room-reading.ts";
import { roomsByPeople } from "./rooms-by-people.ts";
import { schemaReaders } from "./schema-readers.ts";
import { searchInBackground } from "./messages/search-in-background.ts";
import { searchIndex } from "./messages/search-index.ts";
import { startedReplies } from "./ai/started-replies.ts";
import { toolUses } from "./ai/tool-uses.ts";
import { uploadShares } from "./files/upload-shares.ts";
import { uploadsByUser } from "./files/uploads-by-user.ts";
import { userAi } from "./users/user-ai.ts";
import { userOneBot } from "./users/user-one-bot.ts";

/** All migrations, in order. */
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
  outboxByRoom,
  accounts,
  notices,
  roomsByPeople,
  deviceReports,
  amendedMessages,
  blocked,
  deviceSchedules,
  deviceVia,
  toolUses,
  namedUploads,
  deviceRoomLife,
  questionFiles,
  conversationIds,
  prompts,
];

/** The version that this program works with. */
export const currentVersion: number = migrations.length;

/** The lowest version of a program that can work on a database of this version. */
export const lowestReaderOf = (version: number): number =>
  Math.max(...migrations.slice(0, version).map((step) => step.readableFrom ?? step.version));
