import { createAttempts } from "@telex/ground/security";
import type { QuotedFiles } from "@telex/files";
import { gatewayFilesOf } from "./gateway-files.ts";
import { createAnsweringModels } from "../ai/answering-models.ts";
import { logRetried } from "../ai/quota/keep-share.ts";
import { createAiService } from "../ai/service.ts";
import { createGateways, type GatewaysParts } from "../gateways/create.ts";
import { createMessages, type MessagesParts } from "../messages/create.ts";
import type { CompleteOptions } from "./options/options.ts";
import { createOffers, createPairingService } from "../pairing/service.ts";
import { createDraining, type Draining } from "../server/draining.ts";
import { createRemoteDrains, type RemoteDrains } from "../server/remote-drains.ts";
import type { Shared } from "./shared.ts";
import { createTeleprinter, type TeleprinterParts } from "../teleprinter/create.ts";
import { createDeviceTokens } from "../users/token-operator.ts";
import { createUsersService } from "../users/service.ts";
import type { Work } from "./work.ts";

export const createPairing = (
  { storage, clock, zone, limits }: CompleteOptions,
  { security }: Shared,
  { pairDevice, registered }: Pick<ReturnType<typeof createTeleprinter>, "pairDevice" | "registered">,
) => {
  const deps = {
    store: storage.pairings,
    devices: storage.teleprinter,
    clock,
    zone,
    limits,
    security,
    attempt: createAttempts(clock, limits.pairingAttempts),
    issueToken: createDeviceTokens({ storage, clock, limits, security }),
    pairDevice,
    registered,
  };
  return { service: createPairingService(deps), offerToken: createOffers(deps) };
};

export const createUsers = ({ storage, clock, zone }: CompleteOptions, { findUser, tokenEnded }: Shared) =>
  createUsersService({
    clock,
    zone,
    findUser,
    tokens: storage.tokens,
    devices: storage.teleprinter,
    revoked: tokenEnded,
  });

export function createAi(options: CompleteOptions, { tally, search }: Shared, work: Work, quotedFiles: QuotedFiles) {
  const { storage, models, embeddingModels, toolAnswers, observer, clock, zone, limits, log, locale, allocation } =
    options;
  const begin = (): (() => void) => work.begin();
  const chat = {
    store: storage.ai,
    search,
    quotedFiles,
    models,
    embeddingModels,
    toolAnswers,
    observer,
    clock,
    zone,
    limits,
    log,
    locale,
    allocation,
    closing: work.closing,
    begin,
    tally,
    saveFailed: logRetried({ log, clock }, "ai.save_failed"),
  };
  return { service: createAiService(chat), answers: { answering: createAnsweringModels(chat), begin } };
}

type Answers = ReturnType<typeof createAi>["answers"];

export function createNetworks(
  options: CompleteOptions,
  shared: Shared,
  { work, receiveFile, announce }: { readonly work: Work } & Pick<GatewaysParts, "receiveFile" | "announce">,
) {
  const { storage, clock, zone, limits, log, observer, gateways, unknownRooms } = options;
  const { people, findUser, pinyin, tally, ordered, rooms, leases, accountQuestions, bus, assertCurrent } = shared;
  return createGateways({
    announce,
    assertCurrent,
    gateways,
    messages: storage.messages,
    groups: storage.groups,
    bots: storage.bots,
    leaseStore: storage.leases,
    leases,
    questions: accountQuestions,
    bus,
    findUploads: (userId, md5s) => storage.bucket.findUploads(userId, md5s),
    toGatewayFile: gatewayFilesOf(options),
    people,
    findUser,
    pinyin,
    tally,
    ordered,
    rooms,
    unknownRooms,
    work,
    closing: work.closing,
    receiveFile,
    clock,
    zone,
    limits,
    log,
    observer,
  });
}

type Given = "gateways" | "recallInNetwork" | "nameInNetwork" | "print" | "pictureText" | "pictureData" | "enterNews";
interface MessagesNeighbours extends Pick<MessagesParts, Given> {
  readonly answers: Answers;
}

export function createRoomMessages(
  options: CompleteOptions,
  shared: Shared,
  { answers, gateways, recallInNetwork, nameInNetwork, print, pictureText, pictureData, enterNews }: MessagesNeighbours,
) {
  const { storage, clock, zone, limits, log, locale } = options;
  const { rooms, findUser, pinyin, search, indexing, ordered, live, fanOut, bus, roomPresence, events, security } =
    shared;
  return createMessages({
    security,
    store: storage.messages,
    bucket: storage.bucket,
    idOverlap: storage.idOverlap ?? 0,
    listGroupsOf: (userId) => storage.groups.listGroupsOf(userId),
    findUserByExt: (ext) => storage.users.findUserByExt(ext),
    listModels: async () => (await storage.users.listModels()).filter(({ suspended }) => !suspended),
    findUploads: (userId, md5s) => storage.bucket.findUploads(userId, md5s),
    clock,
    zone,
    limits,
    log,
    locale,
    rooms,
    findUser,
    pinyin,
    search,
    indexing,
    ordered,
    live,
    fanOut,
    bus,
    present: (userId) => roomPresence.open(userId),
    answering: answers.answering,
    begin: answers.begin,
    gateways,
    recallInNetwork,
    nameInNetwork,
    print,
    pictureText,
    pictureData,
    enterNews,
    created: (data) => events.emit("message.created", data),
  });
}

export const createDevices = (
  { storage, toolAnswers, clock, zone, limits, log, locale }: CompleteOptions,
  { waiting, bus, live, tally, ordered, rooms, endEarlier, events, accountQuestions, leases }: Shared,
  { answers, sayInRoom }: { readonly answers: Answers } & Pick<TeleprinterParts, "sayInRoom">,
) =>
  createTeleprinter({
    store: storage.teleprinter,
    raised: endEarlier,
    waiting,
    bus,
    accountQuestions,
    leases,
    live,
    clock,
    zone,
    limits,
    log,
    locale,
    tally,
    told: {
      message: (data) => events.emit("device.message", data),
      presence: (data) => events.emit("device.presence", data),
    },
    ordered,
    answering: answers.answering,
    toolAnswers,
    begin: answers.begin,
    rooms,
    sayInRoom,
  });

export function createDrains(
  { clock, log, serverName }: CompleteOptions,
  { live, bus, leases }: Shared,
  gateways: { readonly drain: () => Promise<void> },
): { readonly draining: Draining; readonly drains: RemoteDrains } {
  const handOver = async (): Promise<void> => {
    if (!bus.hasPeers) return;
    // First: an account must not go to another server while this one sends through it.
    await gateways.drain();
    await leases.drain();
  };
  const draining = createDraining({ clock, log, live, handOver });
  return { draining, drains: createRemoteDrains({ draining, bus, clock, server: serverName, self: leases.holder }) };
}
