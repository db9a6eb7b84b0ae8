import { createAnsweringModels } from "../ai/answering-models.ts";
import { logRetried } from "../ai/keep-share.ts";
import { createQuotaOperator } from "../ai/operator.ts";
import { createAiService } from "../ai/service.ts";
import { createAttempts } from "../security/attempts.ts";
import { actingFor } from "../contract/caller.ts";
import type { IncomingFile } from "../blobs/bytes.ts";
import { createFiles } from "../bucket/create.ts";
import type { Contracts, Implementations, OperatorContracts } from "./contracts.ts";
import { createDevicesOperator } from "../devices/operator.ts";
import { createGateways } from "../gateways/create.ts";
import { createGroupsOperator } from "../groups/operator.ts";
import { createMessages } from "../messages/create.ts";
import { type Figures, figuresOf } from "../observe/figures.ts";
import { createServerOperator } from "../server/operator.ts";
import type { CompleteOptions } from "./options.ts";
import { createPairingService } from "../pairing/service.ts";
import type { Shared } from "./shared.ts";
import { createRoomsCapability } from "../rooms/create.ts";
import type { DeviceMessageView, DeviceView } from "../teleprinter/contract.ts";
import { createTeleprinter } from "../teleprinter/create.ts";
import { createDeviceTokens, createTokensOperator, createUsersOperator } from "../users/operator.ts";
import { createEndUser } from "../users/end-user.ts";
import { createUsersService } from "../users/service.ts";
import type { Work } from "./work.ts";

interface OperatorParts {
  readonly files: ReturnType<typeof createFiles>;
  readonly teleprinter: ReturnType<typeof createTeleprinter>;
  readonly pairing: Implementations<Contracts>["pairing"];
  readonly announce: ReturnType<typeof createMessages>["announce"];
  readonly bots: Implementations<OperatorContracts>["bots"];
  readonly figures: () => Figures;
}

/** What the operator needs to change users and tokens. */
function adminOf(
  { storage, clock, zone, limits }: CompleteOptions,
  { users, rooms: knownRooms, tokenEnded, assertCurrent }: Shared,
  { files, teleprinter, announce }: OperatorParts,
) {
  const endUser = createEndUser({
    tokens: storage.tokens,
    groups: storage.groups,
    conversations: storage.ai,
    devices: storage.teleprinter,
    clock,
    changed: (kind, id) => (kind === "token" ? tokenEnded(id) : knownRooms.forget(id)),
    releaseDevice: async (userId, deviceId) => {
      await teleprinter.service.unregister(actingFor(userId), { deviceId }, {});
    },
  });
  const changed = (kind: "user" | "token", id: number): void => (kind === "user" ? users.forget(id) : tokenEnded(id));
  const { users: people, tokens, teleprinter: devices } = storage;
  const storeFile = async (userId: number, file: IncomingFile): Promise<string> => {
    const { file_id } = await files.bucket.upload(actingFor(userId), { file }, {});
    return file_id;
  };
  const { keepImage } = files;
  const pictures = { keepImage, storeFile, assertCurrent };
  const announceModel = (groupId: number, userId: number) => announce("changesModel", groupId, userId);
  const rooms = { groups: storage.groups, announceModel };
  return { users: people, tokens, devices, ...pictures, ...rooms, clock, zone, limits, changed, endUser };
}

function createOperator(
  options: CompleteOptions,
  shared: Shared,
  parts: OperatorParts,
): Implementations<OperatorContracts> {
  const { storage } = options;
  const { findUser } = shared;
  const { service, pageOwnTexts } = parts.teleprinter;
  const admin = adminOf(options, shared, parts);
  const groups = {
    changed: (groupId: number): void => shared.rooms.forget(groupId),
    announce: async (groupId: number, userId: number): Promise<void> => {
      await parts.announce("joins", groupId, userId);
      shared.security.note("group.joined", { groupId, userId, by: userId });
    },
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
    quota: createQuotaOperator({ ...options, store: storage.ai, findUser, tally: shared.tally }),
    server: createServerOperator({ ...options, figures: parts.figures }),
  };
}

const createPairing = (options: CompleteOptions, shared: Shared, teleprinter: OperatorParts["teleprinter"]) =>
  createPairingService({
    ...options,
    ...teleprinter,
    store: options.storage.pairings,
    devices: options.storage.teleprinter,
    security: shared.security,
    attempt: createAttempts(options.clock, options.limits.pairingAttempts),
    issueToken: createDeviceTokens({ ...options, ...shared }),
  });

const createUsers = (options: CompleteOptions, { findUser, tokenEnded }: Shared) =>
  createUsersService({
    ...options,
    findUser,
    tokens: options.storage.tokens,
    devices: options.storage.teleprinter,
    revoked: tokenEnded,
  });

/** Tells plug-ins of devices. */
const toldOf = ({ events }: Shared) => ({
  message: (data: DeviceMessageView): void => events.emit("device.message", data),
  presence: (data: DeviceView): void => events.emit("device.presence", data),
});

/** What does every operation, and the parts that transports and the watch use. */
export function createCapabilities(options: CompleteOptions, shared: Shared, work: Work) {
  const { storage } = options;
  const begin = (): (() => void) => work.begin();
  const { tally } = shared;
  const chat = {
    ...options,
    store: storage.ai,
    closing: work.closing,
    begin,
    tally,
    saveFailed: logRetried(options, "ai.save_failed"),
  };
  const answers = { answering: createAnsweringModels(chat), begin };
  const files = createFiles(options, shared);
  const announce = (groupId: number, userId: number) => messages.announce("changesAccount", groupId, userId);
  const gateways = createGateways(options, shared, { work, receiveFile: files.receive, announce });
  const messages = createMessages(options, shared, {
    answers,
    gateways: gateways.sends,
    recallInNetwork: gateways.recall,
    nameInNetwork: (group, ext) => gateways.names.find(group, ext),
    print: (message) => teleprinter.print(message),
    pictureText: files.pictureText,
  });
  const rooms = createRoomsCapability(options, shared, {
    gateways: gateways.sends,
    networkMembers: gateways.members.list,
    view: messages.view,
  });
  const devices = {
    store: storage.teleprinter,
    told: toldOf(shared),
    raised: shared.endEarlier,
    sayInRoom: messages.sayFromDevice,
  };
  const teleprinter = createTeleprinter({ ...options, ...shared, ...answers, ...devices });
  const pairing = createPairing(options, shared, teleprinter);
  const implementations: Implementations<Contracts> = {
    teleprinter: teleprinter.service,
    pairing,
    ai: createAiService(chat),
    images: files.images,
    avatars: files.avatars,
    bucket: files.bucket,
    users: createUsers(options, shared),
    messages: messages.service,
    rooms: rooms.service,
  };
  const figures = (): Figures => figuresOf(shared, work);
  const operator = createOperator(options, shared, {
    files,
    teleprinter,
    pairing,
    announce: messages.announce,
    bots: gateways.operator,
    figures,
  });
  return { figures, implementations, operator, teleprinter, messages, rooms, gateways };
}
