import { actingFor } from "@telex/ground/contract";
import { createQuotaOperator } from "../ai/quota/operator.ts";
import type { IncomingFile } from "@telex/files/blobs";
import type { createFiles } from "./files.ts";
import type { Contracts, Implementations, OperatorContracts } from "./contracts.ts";
import { createDevicesOperator } from "../devices/operator.ts";
import type { FindOtherKeys } from "../gateways/operator/one-room.ts";
import { createGroupsOperator } from "../groups/operator.ts";
import { createPassOn } from "../groups/pass-on.ts";
import type { createMessages } from "../messages/create.ts";
import type { Figures } from "../observe/figures.ts";
import { createServerOperator } from "../server/operator.ts";
import type { RemoteDrains } from "../server/remote-drains.ts";
import type { CompleteOptions } from "./options/options.ts";
import type { Shared } from "./shared.ts";
import type { createTeleprinter } from "../teleprinter/create.ts";
import { createUsersOperator } from "../users/operator.ts";
import { createTokensOperator } from "../users/token-operator.ts";
import { createEndUser } from "../users/end-user.ts";

interface OperatorParts {
  readonly files: ReturnType<typeof createFiles>;
  readonly teleprinter: ReturnType<typeof createTeleprinter>;
  readonly pairing: Implementations<Contracts>["pairing"];
  readonly announce: ReturnType<typeof createMessages>["announce"];
  readonly bots: Implementations<OperatorContracts>["bots"];
  readonly findOtherKeys: FindOtherKeys;
  readonly figures: () => Figures;
  readonly drains: Pick<RemoteDrains, "begin">;
  /** A room has changed. Resolves when this server sends messages of it to its present members only. */
  readonly roomChanged: (groupId: number) => Promise<void>;
}

function adminOf(
  { storage, clock, zone, limits }: CompleteOptions,
  { userChanged, tokenEnded, assertCurrent }: Shared,
  { files, teleprinter, announce, roomChanged }: OperatorParts,
) {
  const passOn = createPassOn({
    groups: storage.groups,
    findUser: (userId) => storage.users.findUser(userId),
    changed: roomChanged,
    announce,
  });
  const endUser = createEndUser({
    tokens: storage.tokens,
    groups: storage.groups,
    conversations: storage.ai,
    devices: storage.teleprinter,
    clock,
    tokenEnded,
    roomChanged,
    leaveOwnRooms: async (userId) => await passOn(userId, true),
    releaseDevice: async (userId, deviceId) => {
      await teleprinter.service.unregister(actingFor(userId), { deviceId }, {});
    },
  });
  const { users: people, tokens, teleprinter: devices } = storage;
  const storeFile = async (userId: number, file: IncomingFile): Promise<string> => {
    const { file_id } = await files.bucket.upload(actingFor(userId), { file }, {});
    return file_id;
  };
  const { keepImage } = files;
  const pictures = { keepImage, storeFile, assertCurrent };
  const announceModel = (groupId: number, userId: number) => announce({ kind: "model_changed", groupId, userId });
  const rooms = { groups: storage.groups, announceModel };
  return {
    users: people,
    accounts: storage.accounts,
    tokens,
    devices,
    ...pictures,
    ...rooms,
    clock,
    zone,
    limits,
    tokenEnded,
    userChanged,
    endUser,
    passOn: async (userId: number) => await passOn(userId, false),
  };
}

export function createOperator(
  options: CompleteOptions,
  shared: Shared,
  parts: OperatorParts,
): Implementations<OperatorContracts> {
  const { storage, clock, zone, limits, allocation, serverName, toolAnswers } = options;
  const { findUser } = shared;
  const { service, pageOwnTexts } = parts.teleprinter;
  const admin = adminOf(options, shared, parts);
  const groups = {
    changed: parts.roomChanged,
    announce: async (groupId: number, userId: number): Promise<void> => {
      await parts.announce({ kind: "admin_joined", groupId, userId });
      shared.security.note("group.joined", { groupId, userId, by: userId });
    },
    announceRoles: async (groupId: number, userId: number, userIds: readonly number[]) =>
      await parts.announce({ kind: "roles_changed", groupId, userId, userIds }),
    findOtherKeys: parts.findOtherKeys,
    storeForRoom: async (groupId: number, file: IncomingFile) => (await parts.files.receive(groupId, file)).md5,
  };
  return {
    users: createUsersOperator(admin),
    tokens: createTokensOperator(admin),
    groups: createGroupsOperator({ ...admin, ...groups, store: storage.groups, findUser }),
    devices: createDevicesOperator({
      store: storage.teleprinter,
      findUser,
      service,
      pageOwnTexts,
      pairing: parts.pairing,
    }),
    files: parts.files.operator,
    bots: parts.bots,
    quota: createQuotaOperator({ store: storage.ai, clock, zone, limits, allocation, findUser, tally: shared.tally }),
    server: createServerOperator({
      storage,
      clock,
      serverName,
      figures: parts.figures,
      drains: parts.drains,
      toolServers: () => toolAnswers.servers?.() ?? [],
    }),
  };
}
