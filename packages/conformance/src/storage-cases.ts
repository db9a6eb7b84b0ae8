import { accountCases } from "./accounts/accounts.ts";
import { grantCases } from "./accounts/grants.ts";
import { accountModelCases } from "./accounts/model.ts";
import { conversationCases } from "./ai/conversations.ts";
import { lostReplyCases } from "./ai/lost-replies.ts";
import { quotaCases } from "./ai/quotas.ts";
import { botCases } from "./stores/bots.ts";
import { expiryCases } from "./stores/bucket-expiry.ts";
import { shareCases } from "./stores/bucket-shares.ts";
import { fileCases } from "./stores/bucket.ts";
import { codeCases } from "./stores/bucket-codes.ts";
import type { StorageCase } from "./support/case.ts";
import { changeCases } from "./stores/changes.ts";
import { generationCases } from "./teleprinter/device-generations.ts";
import { groupCases } from "./stores/groups.ts";
import { networkRoomCases } from "./stores/network-rooms.ts";
import { peopleRoomCases } from "./stores/people-rooms.ts";
import { historyCases } from "./messages/history.ts";
import { messageFileCases } from "./messages/files.ts";
import { readingCases } from "./messages/reading.ts";
import { amendCases } from "./messages/amend.ts";
import { mentionCases } from "./messages/mentions.ts";
import { recallCases } from "./messages/recall.ts";
import { sinceCases } from "./messages/since.ts";
import { leaseCases } from "./stores/leases.ts";
import { messageCases } from "./messages/messages.ts";
import { networkCases } from "./messages/network.ts";
import { outboxCases } from "./messages/outbox.ts";
import { searchCases } from "./messages/search.ts";
import { searchIndexCases } from "./messages/search-index.ts";
import { wholeCases } from "./records/storage.ts";
import { pairingCases } from "./teleprinter/pairings.ts";
import { recordCases } from "./records/records.ts";
import { teleprinterModelCases } from "./teleprinter/model.ts";
import { appendCases } from "./teleprinter/queue.ts";
import { acknowledgeCases } from "./teleprinter/acknowledge.ts";
import { takeCases } from "./teleprinter/take.ts";
import { lifeModelCases } from "./teleprinter/lives-model.ts";
import { lifeCases } from "./teleprinter/lives.ts";
import { scheduleCases } from "./teleprinter/schedules.ts";
import { reportCases } from "./teleprinter/reports.ts";
import { teleprinterRoomCases } from "./teleprinter/rooms.ts";
import { usageCases } from "./ai/usage.ts";
import { settlementCases } from "./ai/settlements.ts";
import { turnCases } from "./ai/turns.ts";
import { dropCases } from "./ai/dropped.ts";
import { memberCases } from "./stores/group-members.ts";
import { revocationCases } from "./stores/token-revocations.ts";
import { networkIdCases } from "./messages/network-ids.ts";
import { searchVolumeCases } from "./messages/search-volume.ts";
import { ownFileCases } from "./stores/bucket-own.ts";
import { fileUseCases } from "./messages/file-uses.ts";
import { recallFileCases } from "./messages/recall-files.ts";
import { nonceCases } from "./messages/nonces.ts";
import { outboxNonceCases } from "./messages/outbox-nonces.ts";
import { waitingCases } from "./messages/outbox-waiting.ts";
import { holdCases } from "./teleprinter/holds.ts";
import { queueNonceCases } from "./teleprinter/queue-nonces.ts";
import { claimCases } from "./teleprinter/claims.ts";
import { deviceLimitCases } from "./teleprinter/device-limits.ts";
import { deviceCases } from "./teleprinter/devices.ts";
import { tokenCases } from "./stores/tokens.ts";
import { userCases } from "./stores/users.ts";

/** Every promise of the store contracts, in the order of the capabilities. */
export const storageCases: readonly StorageCase[] = [
  ...claimCases,
  ...deviceLimitCases,
  ...deviceCases,
  ...reportCases,
  ...lifeCases,
  ...lifeModelCases,
  ...scheduleCases,
  ...teleprinterRoomCases,
  ...appendCases,
  ...queueNonceCases,
  ...takeCases,
  ...holdCases,
  ...acknowledgeCases,
  ...teleprinterModelCases,
  ...generationCases,
  ...pairingCases,
  ...usageCases,
  ...quotaCases,
  ...settlementCases,
  ...lostReplyCases,
  ...conversationCases,
  ...turnCases,
  ...dropCases,
  ...codeCases,
  ...fileCases,
  ...shareCases,
  ...expiryCases,
  ...userCases,
  ...tokenCases,
  ...accountCases,
  ...accountModelCases,
  ...grantCases,
  ...revocationCases,
  ...groupCases,
  ...memberCases,
  ...networkRoomCases,
  ...peopleRoomCases,
  ...botCases,
  ...messageCases,
  ...nonceCases,
  ...messageFileCases,
  ...networkCases,
  ...networkIdCases,
  ...outboxCases,
  ...outboxNonceCases,
  ...waitingCases,
  ...historyCases,
  ...sinceCases,
  ...searchCases,
  ...searchVolumeCases,
  ...searchIndexCases,
  ...readingCases,
  ...recallCases,
  ...amendCases,
  ...mentionCases,
  ...recallFileCases,
  ...ownFileCases,
  ...fileUseCases,
  ...leaseCases,
  ...changeCases,
  ...recordCases,
  ...wholeCases,
];
