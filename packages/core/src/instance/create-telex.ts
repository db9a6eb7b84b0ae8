import { anonymous } from "@telex/ground/contract";
import { TelexError } from "@telex/ground/errors";
import type { SecurityLog } from "@telex/ground/log";
import { addressKey } from "@telex/ground/rates";
import type { Clock } from "@telex/ground/time";
import { type BindOptions, bindAll, bindOne, createCall } from "./bind.ts";
import { settleLostReplies } from "../ai/quota/keep-share.ts";
import { sweepAccounts } from "../accounts/sweep.ts";
import { startSweeps } from "@telex/files";
import { joinBus } from "./join-bus.ts";
import { createCapabilities } from "./capabilities.ts";
import { assertNamedMethods } from "./complete.ts";
import {
  type Contracts,
  contracts,
  type Implementations,
  type OperatorContracts,
  operatorContracts,
} from "./contracts.ts";
import { assertNode } from "./node-version.ts";
import { type CompleteOptions, completeOptions } from "./options/options.ts";
import type { LatePlugin } from "./events.ts";
import type { Plugin } from "./plugin.ts";
import type { Draining } from "../server/draining.ts";
import { createReadiness } from "./readiness.ts";
import { createShared, type Shared } from "./shared.ts";
import type { Telex } from "./telex.ts";
import { isSuspended } from "../users/suspensions.ts";
import type { TokenVerifier } from "../users/verifier.ts";
import type { TelexOptions } from "./options/telex-options.ts";
import { watchChanges } from "./watch-changes.ts";
import { createOneBots } from "../users/one-bot.ts";
import { createWork, type Work } from "./work.ts";

assertNode(process.versions.node);

function bindEverything(
  implementations: Implementations<Contracts>,
  operator: Implementations<OperatorContracts>,
  options: BindOptions,
) {
  const forCallers = bindAll(contracts, implementations, options);
  const forOperator = bindAll(operatorContracts, operator, options, "operator.");
  const bind: Telex["bind"] = (name, operation, run) => bindOne(name, operation, run, options);
  const methods = { ...forCallers.methods, ...forOperator.methods };
  assertNamedMethods(methods);
  return { bind, services: { ...forCallers.services, operator: forOperator.services }, call: createCall(methods) };
}

const bindingOf = ({ checkOutput, observer, access }: CompleteOptions, shared: Shared, work: Work): BindOptions => ({
  families: access,
  checkOutput,
  work,
  observer,
  security: shared.security,
  tally: shared.tally,
  assertCurrent: shared.assertCurrent,
  seenEverywhere: shared.catchUp.everywhere,
});

function noteRefusedToken(security: SecurityLog, address: string | null): void {
  const from = address === null ? null : addressKey(address);
  security.noteOnce("token.refused", String(from), { address: from });
}

const createAuthentication =
  (
    verifiers: readonly (TokenVerifier | undefined)[],
    { security, findUser }: Pick<Shared, "security" | "findUser">,
  ): Telex["authenticate"] =>
  async (token, address = () => null) => {
    if (token === null || token === "") return anonymous;
    for (const verifier of verifiers) {
      const holder = (await verifier?.authenticate(token)) ?? null;
      if (holder === null) continue;
      if (!(await isSuspended(holder, findUser))) return holder;
      break;
    }
    noteRefusedToken(security, address());
    return anonymous;
  };

const settingsOf = ({ locale, otherLocale, limits, clock, zone, log, observer }: CompleteOptions) => ({
  locale,
  otherLocale,
  limits,
  clock,
  zone,
  log,
  observer,
});

function createReady({ clock, storage, blobs }: CompleteOptions, work: Work, { isDraining }: Draining): Telex["ready"] {
  const probe = createReadiness(clock, () => Promise.all([storage.probe(), blobs.probe()]));
  return async () => {
    work.assertOpen();
    if (isDraining()) throw new TelexError("shutting_down");
    await probe();
  };
}

/** Registers connections. A connection that opens while the server drains is closed like the others. */
const createAttach =
  ({ live }: Shared, { isDraining }: Draining): Telex["attach"] =>
  (connection) => {
    const detach = live.attach(connection);
    if (isDraining()) connection.close("draining");
    return detach;
  };

/** Of several servers one sweeps in each interval: its lease ends shortly before the next sweep is due. */
const createSweepTurns =
  ({ storage, clock, limits }: CompleteOptions, { leases: { holder } }: Shared) =>
  async (): Promise<boolean> => {
    const now = clock.now();
    const until = now + 0.9 * limits.sweepInterval;
    return (await storage.leases.takeLease({ name: "sweep", holder, now, until, note: "" })) !== null;
  };

function beginSweeps(options: CompleteOptions, shared: Shared): () => void {
  const { storage, blobs, clock, limits, log } = options;
  return startSweeps({
    store: storage.bucket,
    blobs,
    clock,
    limits,
    log,
    isOurs: createSweepTurns(options, shared),
    sweepAccounts: () => sweepAccounts({ accounts: storage.accounts, grants: storage.grants, clock }),
  });
}

/** A plug-in that was started. */
interface Started {
  readonly name: string;
  readonly end: () => Promise<void>;
}

const startedOf = ({ name, end: endOne }: LatePlugin): readonly Started[] =>
  endOne === undefined ? [] : [{ name, end: endOne }];

async function startPlugins(telex: Telex, plugins: readonly Plugin[]): Promise<readonly Started[]> {
  const started: Started[] = [];
  for (const { name, start } of plugins) {
    const stop = await start?.(telex);
    if (stop !== undefined) started.push({ name, end: stop });
  }
  return started;
}

/** Ends a plug-in. One that fails, or has not ended after `closeWait`, is logged. */
async function endPlugin({ clock, limits, log }: CompleteOptions, { name, end: endOne }: Started): Promise<void> {
  const grace = createGrace(clock, limits.closeWait);
  try {
    const isEnded = await grace.wait(endOne().then(() => true));
    if (isEnded !== true) log.warn("plugin.close_late", { plugin: name });
  } catch (cause) {
    log.error("plugin.close_failed", { plugin: name }, cause);
  }
  grace.end();
}

/** Ends plug-ins, the last one first. */
async function endPlugins(options: CompleteOptions, started: readonly Started[]): Promise<void> {
  for (const one of started.toReversed()) await endPlugin(options, one);
}

/** The plug-ins that are created from the instance, and the events for them. */
function createLate({ events, leases, remoteReplies, bus, rates }: Shared) {
  const late: LatePlugin[] = [];
  const plugging: Pick<Telex, "plug" | "sessionActive" | "leases" | "remoteReplies" | "ratePeers"> = {
    leases,
    remoteReplies,
    ratePeers: bus.hasPeers ? rates.peers : null,
    plug(plugin) {
      late.push(plugin);
      events.add(plugin);
    },
    sessionActive(connection, isOpen) {
      const { sessionId } = connection.holder;
      if (sessionId !== undefined) events.emit("session.active", { sessionId, connection, isOpen });
    },
  };
  return { plugging, late };
}

interface Ending {
  readonly shared: Shared;
  readonly work: Work;
  readonly gateways: { readonly close: () => Promise<void> };
  /** In the order in which they were started. */
  readonly plugins: readonly Started[];
}

/** Waits for work that needs the storage, such as releasing leases, until the time is over: closing does not wait for a storage that is away. */
function createGrace(clock: Clock, time: number) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = clock.after(time, resolve);
  return { wait: (work: Promise<unknown>): Promise<unknown> => Promise.race([work, promise]), end: cancel };
}

/** Ends an instance: it finishes open work, and then releases everything. */
async function end(
  options: CompleteOptions,
  { shared, work, gateways, plugins }: Ending,
  until: Promise<unknown> | undefined,
): Promise<void> {
  const { clock, limits, storage } = options;
  // Handled, because its owner reports the failure.
  const settled = Promise.allSettled([until]);
  shared.roomPresence.leave();
  shared.bus.stopReceiving();
  shared.waiting.close();
  await work.close(limits.closeWait);
  const grace = createGrace(clock, limits.closeWait);
  await grace.wait(gateways.close());
  // Not earlier: the other servers must get the last events of this one, and learn that it no longer has the accounts.
  const left = shared.bus.leave();
  shared.live.closeAll("stopping");
  await endPlugins(options, plugins);
  await grace.wait(Promise.all([shared.leases.close(), left]));
  grace.end();
  await settled;
  await storage.close();
}

/**
 * Makes an instance. It owns `storage`, and closes it when it closes; the image engine may be shared by
 * several instances, and its creator closes it.
 * @throws TypeError for an unknown option or one of the wrong type, a missing part, or two plug-ins that fill one port; RangeError for an unknown time zone
 */
export async function createTelex(given: TelexOptions): Promise<Telex> {
  const options = completeOptions(given);
  const { storage, clock, limits, log } = options;
  const shared = await createShared(options);
  const work = createWork(clock, shared.tally);
  const capabilities = createCapabilities(options, shared, work);
  const { implementations, operator, teleprinter, messages, rooms, gateways, draining } = capabilities;
  const { services, call, bind } = bindEverything(implementations, operator, bindingOf(options, shared, work));
  if (options.observer.commit !== undefined) storage.observeCommits?.(options.observer.commit);
  await joinBus(shared, capabilities, log);
  const endWatch = await watchChanges(options, shared, capabilities);
  shared.indexing.begin();
  shared.renewal.begin();
  const endSweeps = beginSweeps(options, shared);
  const endReplies = settleLostReplies({ store: storage.ai, clock, limits, log });
  let started: readonly Started[] = [];
  const { plugging, late } = createLate(shared);
  let closing: Promise<void> | undefined;
  const close = async (until?: Promise<unknown>): Promise<void> => {
    endWatch();
    endSweeps();
    endReplies();
    shared.indexing.end();
    shared.renewal.end();
    await end(options, { shared, work, gateways, plugins: [...started, ...late.flatMap(startedOf)] }, until);
  };
  const telex: Telex = {
    ...services,
    ...settingsOf(options),
    call,
    bind,
    figures: capabilities.figures,
    security: shared.security,
    authenticate: createAuthentication([options.tokens ?? shared.verifier, options.otherTokens], shared),
    attach: createAttach(shared, draining),
    listen: messages.listen,
    announce: messages.announce,
    postText: messages.postText,
    amendMessage: messages.amend,
    reactInNetwork: gateways.react,
    viewMessage: (record, group) => messages.show(record, group, true),
    roomChanged: rooms.news.changedHere,
    tellRoom: rooms.news.tell,
    typing: rooms.typing,
    ...plugging,
    oneBots: createOneBots(storage.users, shared.findUser),
    watchDevices: (connection) => teleprinter.watch(connection),
    connectDevice: (connection, how) => teleprinter.connect(connection, how),
    offerToken: capabilities.offerToken,
    attendDevice: (connection, deviceId) => teleprinter.attend(connection, deviceId),
    roomModels: messages.roomModels,
    serverName: given.serverName ?? null,
    ready: createReady(options, work, draining),
    ...draining,
    close: (until) => (closing ??= close(until)),
  };
  started = await startPlugins(telex, options.plugins);
  await gateways.start({ publish: messages.publish, recall: messages.recallReceived, react: messages.reactReceived });
  return telex;
}
