import { createAiService, createQuotaService } from "./ai/service.ts";
import type { AnsweringModels } from "./ai/answers.ts";
import { createAnsweringModels } from "./ai/answering-models.ts";
import { createAvatarsService } from "./avatars/service.ts";
import { bindAll, createCall } from "./bind.ts";
import { createFilesService } from "./bucket/files-service.ts";
import { createBucketService } from "./bucket/service.ts";
import { startSweeps } from "./bucket/sweep.ts";
import { createThumbnails, readFile } from "./bucket/thumbnails.ts";
import { createCache } from "./cache.ts";
import { actingFor, anonymous } from "./caller.ts";
import {
  contracts,
  type Implementations,
  operatorContracts,
  type OperatorContracts,
  type Contracts,
} from "./contracts.ts";
import { createRooms } from "./groups/rooms.ts";
import { createGroupsService } from "./groups/service.ts";
import { createImagesService } from "./images/service.ts";
import { createLiveConnections } from "./live.ts";
import { createRoomAnswering } from "./messages/answering.ts";
import { createFanOut } from "./messages/fan-out.ts";
import { createListen } from "./messages/listen.ts";
import { createPinyin } from "./messages/pinyin.ts";
import { createMessagesService } from "./messages/service.ts";
import { createMessageView } from "./messages/view.ts";
import { completeOptions, type CompleteOptions } from "./options.ts";
import { createOrdered } from "./ordered.ts";
import { createEventHub, type Plugin } from "./plugin.ts";
import type { Telex, TelexOptions } from "./telex.ts";
import { createTeleprinter } from "./teleprinter/create.ts";
import { createWaiting } from "./teleprinter/waiting.ts";
import { createDeviceTokens, createTokenAdmin, createUserAdmin } from "./users/admin.ts";
import { createLocalVerifier } from "./users/local-verifier.ts";
import { createUsersService } from "./users/service.ts";
import { startWatch } from "./watch.ts";
import { createWork, type Work } from "./work.ts";

/** What the capabilities of one instance share. */
async function createShared(options: CompleteOptions) {
  const { storage, clock, limits, log, plugins } = options;
  const users = createCache(limits.userCacheEntries, (userId: number) => storage.users.findUser(userId));
  return {
    users,
    rooms: createRooms(storage.groups, limits.roomCacheEntries),
    verifier: createLocalVerifier(options),
    live: createLiveConnections(),
    fanOut: createFanOut(limits.fanOutSlice),
    waiting: createWaiting(clock),
    ordered: createOrdered(),
    pinyin: await createPinyin(limits.nameCacheEntries),
    events: createEventHub(plugins, (event, fields, cause) => log.error(event, fields, cause)),
    findUser: (userId: number) => users.get(userId),
  };
}

type Shared = Awaited<ReturnType<typeof createShared>>;

/** What answers, and says that it does. */
interface Answering {
  readonly answering: AnsweringModels;
  readonly begin: () => () => void;
}

/** Makes the end of a token seen immediately in this process. */
function endToken({ verifier, live }: Shared, tokenId: number): void {
  verifier.forget(tokenId);
  live.endToken(tokenId);
}

/** Ends the tokens that are for an earlier generation of a device. One that was never raised costs one read. */
async function endEarlier({ storage }: CompleteOptions, { verifier, live }: Shared, deviceId: string): Promise<void> {
  const generation = await storage.teleprinter.findGeneration(deviceId);
  if (generation === 0) return;
  verifier.forgetDevice(deviceId);
  live.endDevice(deviceId, generation);
}

function createMessages(options: CompleteOptions, shared: Shared, answers: Answering) {
  const { storage, limits, zone, clock, bots, log } = options;
  const { rooms, fanOut, events, pinyin, findUser, ordered } = shared;
  const view = createMessageView(zone, pinyin);
  const answer = createRoomAnswering({
    ...options,
    ...answers,
    store: storage.messages,
    listModels: () => storage.users.listModels(),
    send: (userId, { groupId, groupType }, message) =>
      service.send(actingFor(userId), { groupId, groupType, message }, {}),
  });
  const service = createMessagesService({
    store: storage.messages,
    rooms,
    findUser,
    findUserByExt: (ext) => storage.users.findUserByExt(ext),
    findUploads: (userId, md5s) => storage.bucket.findUploads(userId, md5s),
    bots,
    pinyin,
    clock,
    limits,
    ordered,
    view,
    publish(record, { group, members }, sender, origin) {
      const data = view(record, group);
      fanOut.publish({ event: { kind: "message", data }, members, sender, origin });
      events.emit("message.created", data);
      answer(record, { group, members });
    },
  });
  const listen = createListen(fanOut, log, {
    store: storage.messages,
    listGroupsOf: (userId) => storage.groups.listGroupsOf(userId),
    findRoom: (groupId) => rooms.find(groupId),
    view,
    limits,
  });
  return { service, listen };
}

function createFiles(options: CompleteOptions) {
  const { storage, blobs, images, clock, limits, log, avatarSource } = options;
  const findFile = (md5: string) => storage.bucket.findFile(md5);
  const thumbnails = createThumbnails(blobs, images, limits.thumbnailSide);
  return {
    bucket: createBucketService({ store: storage.bucket, blobs, thumbnails, clock, limits, log }),
    operator: createFilesService({ store: storage.bucket, blobs, clock, limits }),
    images: createImagesService({ findFile, readFile: (file) => readFile(blobs, file), images, limits }),
    avatars: createAvatarsService({
      async findAvatar(kind, id) {
        const md5 = kind === "personal" ? ((await storage.users.findUser(id))?.avatar ?? null) : null;
        // One that was taken out of service may still be kept as a picture.
        return md5 !== null && (await findFile(md5)) !== null ? md5 : null;
      },
      async readFile(md5) {
        const file = await findFile(md5);
        return file === null ? null : readFile(blobs, file);
      },
      images,
      source: avatarSource,
      clock,
      limits,
      log,
    }),
    keepImage: async (md5: string) => ((await findFile(md5))?.ext ?? "") !== "" && storage.bucket.keepFile(md5),
  };
}

function createOperator(
  options: CompleteOptions,
  shared: Shared,
  files: ReturnType<typeof createFiles>,
): Implementations<OperatorContracts> {
  const { storage, clock, zone, limits } = options;
  const { users, rooms, findUser } = shared;
  const changed = (kind: "user" | "token", id: number): void =>
    kind === "user" ? users.forget(id) : endToken(shared, id);
  const admin = {
    users: storage.users,
    tokens: storage.tokens,
    devices: storage.teleprinter,
    keepImage: files.keepImage,
    clock,
    zone,
    limits,
    changed,
  };
  const groups = { store: storage.groups, findUser, clock, zone, changed: (groupId: number) => rooms.forget(groupId) };
  return {
    users: createUserAdmin(admin),
    tokens: createTokenAdmin(admin),
    groups: createGroupsService(groups),
    files: files.operator,
    quota: createQuotaService({ ...options, store: storage.ai, findUser }),
  };
}

type Teleprinter = ReturnType<typeof createTeleprinter>;

const watchChanges = (options: CompleteOptions, shared: Shared, { links, presence }: Teleprinter) => {
  const { storage, clock, limits, log } = options;
  const { users, rooms, live } = shared;
  const checkDevice = async (deviceId: string): Promise<void> => {
    await endEarlier(options, shared, deviceId);
    await links.check(deviceId);
  };
  return startWatch({
    feed: storage.changes,
    clock,
    interval: limits.watchInterval,
    log,
    changed({ kind, key }) {
      if (kind === "user") users.forget(Number(key));
      if (kind === "members") rooms.forget(Number(key));
      if (kind === "device") {
        checkDevice(key).catch((cause: unknown) => log.error("device.check_failed", {}, cause));
      }
      if (kind === "token") endToken(shared, Number(key));
    },
    tick() {
      live.endExpired(clock.now());
      presence.sweep();
    },
  });
};

/** Every capability with its access checks and schemas, and the parts of some that transports and the watch use. */
function createCapabilities(options: CompleteOptions, shared: Shared, work: Work) {
  const { storage, access, checkOutput } = options;
  const { findUser } = shared;
  const files = createFiles(options);
  const stores = {
    store: storage.teleprinter,
    pairings: storage.pairings,
    issueToken: createDeviceTokens(options),
    raised: (deviceId: string) => endEarlier(options, shared, deviceId),
  };
  const begin = (): (() => void) => work.begin();
  const chat = { ...options, store: storage.ai, closing: work.closing, begin };
  const answers = { answering: createAnsweringModels(chat), begin };
  const messages = createMessages(options, shared, answers);
  const teleprinter = createTeleprinter({ ...options, ...shared, ...stores, ...answers });
  const implementations: Implementations<Contracts> = {
    teleprinter: teleprinter.service,
    pairing: teleprinter.pairing,
    ai: createAiService(chat),
    images: files.images,
    avatars: files.avatars,
    bucket: files.bucket,
    users: createUsersService({
      ...options,
      findUser,
      tokens: storage.tokens,
      devices: storage.teleprinter,
      revoked: (tokenId) => endToken(shared, tokenId),
    }),
    messages: messages.service,
  };
  const binding = { families: access, checkOutput, work };
  const forCallers = bindAll(contracts, implementations, binding);
  const forOperator = bindAll(operatorContracts, createOperator(options, shared, files), {
    ...binding,
    prefix: "operator.",
  });
  return {
    services: { ...forCallers.services, operator: forOperator.services },
    call: createCall(new Map([...forCallers.methods, ...forOperator.methods])),
    teleprinter,
    listen: messages.listen,
  };
}

/** Runs what plug-ins start. The returned function ends it, the last one first. */
async function startPlugins(telex: Telex, plugins: readonly Plugin[]): Promise<() => Promise<void>> {
  const stops: (() => Promise<void>)[] = [];
  for (const { start } of plugins) {
    const stop = await start?.(telex);
    if (stop !== undefined) stops.push(stop);
  }
  return async () => {
    for (const stop of stops.toReversed()) await stop();
  };
}

/**
 * Makes an instance. It owns `storage` from then on, and closes it when it closes; the image engine may be shared by
 * several instances, and is closed by who made it.
 * @throws TypeError when a part is missing or two plug-ins fill one port; RangeError for an unknown time zone
 */
export async function createTelex(given: TelexOptions): Promise<Telex> {
  const options = completeOptions(given);
  const { storage, blobs, clock, zone, limits, log, locale } = options;
  const shared = await createShared(options);
  const work = createWork(clock);
  const { services, call, teleprinter, listen } = createCapabilities(options, shared, work);
  const verifier = options.tokens ?? shared.verifier;
  const endWatch = await watchChanges(options, shared, teleprinter);
  const endSweeps = startSweeps({ store: storage.bucket, blobs, clock, limits, log });
  let endPlugins = (): Promise<void> => Promise.resolve();
  let closing: Promise<void> | undefined;
  const close = async (until?: Promise<unknown>): Promise<void> => {
    // Listened to from now on: its failure is its owner's to tell.
    const settled = Promise.allSettled([until]);
    endWatch();
    endSweeps();
    shared.waiting.close();
    await work.close(limits.closeWait);
    shared.live.closeAll("stopping");
    await endPlugins();
    await settled;
    await storage.close();
  };
  const telex: Telex = {
    ...services,
    call,
    locale,
    limits,
    clock,
    zone,
    log,
    async authenticate(token) {
      if (token === null || token === "") return anonymous;
      return (await verifier.authenticate(token)) ?? anonymous;
    },
    attach: (connection) => shared.live.attach(connection),
    listen,
    watchDevices: (connection) => teleprinter.watch(connection),
    connectDevice: (connection, how) => teleprinter.connect(connection, how),
    async ready() {
      work.assertOpen();
      await Promise.all([storage.probe(), blobs.probe()]);
    },
    close: (until) => (closing ??= close(until)),
  };
  endPlugins = await startPlugins(telex, options.plugins);
  return telex;
}
