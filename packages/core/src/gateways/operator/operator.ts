import { randomBytes } from "node:crypto";
import type { z } from "zod";
import {
  routeOf,
  type Operator,
  type TokenHolder,
  type CallContext,
  type Implementation,
} from "@telex/ground/contract";
import { TelexError } from "@telex/ground/errors";
import { shownConnect } from "@telex/ground/options";
import { digestOf } from "@telex/ground/security";
import type { Clock, Zone } from "@telex/ground/time";
import type { LeaseRecord, LeaseStore } from "@telex/ground/leases";
import { type AnnounceDeps, announceChange, changesConnection } from "./announce.ts";
import { type AccountChecked, serverOf } from "./check.ts";
import type { BotsContract, BotTest, BotView } from "../contract.ts";
import { type GatewayFaults, returnOf } from "../faults.ts";
import type { Gateway, GatewayAccount } from "../../networks/gateway.ts";
import { listRoomPairs } from "./one-room.ts";
import { leaseNameOf, leasePrefix, readNote } from "../accounts/leases.ts";
import type { BotChange, BotConflict, BotStore } from "../store.ts";
import type { BotRecord } from "../../records/gateways.ts";

interface BotsOperatorDeps extends AnnounceDeps {
  readonly gateways: readonly Gateway[];
  readonly store: BotStore;
  readonly leases: Pick<LeaseStore, "listLeases">;
  readonly clock: Clock;
  readonly zone: Zone;
  readonly faults: GatewayFaults;
  readonly check: (account: string) => Promise<AccountChecked | null>;
  /** Makes a change of the stored accounts visible in this process. */
  readonly changed: () => Promise<void>;
}

type Admin = Operator | TokenHolder;

type Input<Name extends keyof BotsContract> = z.output<BotsContract[Name]["input"]>;

interface Shown {
  readonly gateway: string;
  readonly account: GatewayAccount;
}

/** The accounts of all gateways as they are now. A gateway that fails has none. */
function listShown({ gateways, faults }: BotsOperatorDeps): readonly Shown[] {
  return gateways.flatMap((gateway) => {
    const shown = () => gateway.listAccounts().map((account) => ({ gateway: gateway.name, account }));
    return returnOf(faults, gateway.name, "listAccounts", shown, []);
  });
}

/** An account with the state from the gateway of this server, and from the server that has it. */
interface Seen {
  readonly shown: GatewayAccount | undefined;
  readonly lease: LeaseRecord | undefined;
}

type State = Pick<
  BotView,
  "connected" | "online" | "server" | "since" | "ext" | "version" | "implementation" | "problem"
>;

const noServer = (lease: LeaseRecord, zone: Zone): BotView["problem"] => ({
  code: "no_server",
  text: `The server ${serverOf(lease.holder)}, which had the connection, has ended without releasing it.`,
  at: zone.format(lease.until),
});

const unseen: Seen = { shown: undefined, lease: undefined };

/** The state of an account: on this server now, or as reported by the server that has or had it. */
function stateOf({ clock, zone }: BotsOperatorDeps, { shown, lease }: Seen, since: number): State {
  const isLive = lease !== undefined && lease.until > clock.now();
  const read = lease === undefined ? null : readNote(lease);
  // A note from before the account was added again is about another account.
  const note = read !== null && read.since >= since ? read : null;
  const isConnected = shown?.isConnected === true || (isLive && note?.isConnected === true);
  const isOnline = (shown?.isConnected === true && shown.isOnline) || (isLive && note?.isOnline === true);
  const problem = note?.problem ? { ...note.problem, at: zone.format(note.problem.at) } : null;
  const isLost = lease !== undefined && note !== null && !isLive && lease.until > 0;
  return {
    connected: isConnected,
    online: isConnected && isOnline,
    server: isLive ? serverOf(lease.holder) : null,
    since: note === null ? null : zone.format(isLost ? lease.until : note.since),
    ext: note?.ext ?? null,
    version: note?.version ?? null,
    implementation: note?.implementation ?? null,
    problem: isOnline ? null : isLost ? noServer(lease, zone) : problem,
  };
}

const viewOfShown = (
  deps: BotsOperatorDeps,
  gateway: string,
  account: GatewayAccount,
  lease?: LeaseRecord,
): BotView => ({
  gateway,
  account: account.account,
  name: null,
  network: account.network,
  official: account.groupTypes.some((type) => routeOf(type) === "official"),
  groupTypes: [...account.groupTypes],
  stored: false,
  connect: null,
  protocol: null,
  minInterval: null,
  ...stateOf(deps, { shown: account, lease }, 0),
});

const viewOfStored = (
  deps: BotsOperatorDeps,
  { account, name, gateway, network, official, ...bot }: BotRecord,
  seen: Seen,
): BotView => ({
  gateway,
  account,
  name,
  network,
  official,
  groupTypes: official ? [0, 3, 4, 5] : [4, 5],
  stored: true,
  connect: shownConnect(bot.connect),
  protocol: bot.protocol === 0 ? null : bot.protocol,
  minInterval: bot.minInterval,
  ...stateOf(deps, seen, bot.createdAt),
});

/** The accounts of the gateways in their order, and then the stored ones that no gateway serves. */
async function list(deps: BotsOperatorDeps): Promise<BotView[]> {
  const bots = new Map((await deps.store.listBots()).map((bot) => [bot.account, bot]));
  const leases = await deps.leases.listLeases(leasePrefix);
  const leaseOf = (account: string) => leases.find(({ name }) => name === leaseNameOf(account));
  const viewStored = (bot: BotRecord, shown?: GatewayAccount) =>
    viewOfStored(deps, bot, { shown, lease: leaseOf(bot.account) });
  const ofGateways = listShown(deps).map(({ gateway, account }) => {
    const bot = bots.get(account.account);
    bots.delete(account.account);
    if (bot !== undefined) return viewStored(bot, account);
    return viewOfShown(deps, gateway, account, leaseOf(account.account));
  });
  return [...ofGateways, ...Array.from(bots.values(), (bot) => viewStored(bot))];
}

async function test(deps: BotsOperatorDeps, account: string): Promise<BotTest> {
  const isKnown = (await list(deps)).some((bot) => bot.account === account);
  if (!isKnown) throw missing(account);
  const checked = await deps.check(account);
  if (checked !== null) return { account, ok: checked.checks.every(({ ok }) => ok), ...checked };
  const detail = "No running server has answered within 20 s. Start one with `telex serve` on the same storage.";
  return { account, ok: false, server: null, checks: [{ name: "server", ok: false, detail }] };
}

const missing = (account: string): TelexError =>
  new TelexError("not_found", { reason: "account_unknown", params: { account } });

const invalid = (path: string, problem: BotConflict | "required"): TelexError =>
  new TelexError("invalid_request", { issues: [{ path, problem, params: {} }] });

const paths = { account_taken: "account", secret_taken: "secret", official_taken: "official" } as const;
const conflict = (outcome: BotConflict): TelexError => invalid(paths[outcome], outcome);

/** The stored fields of a secret: the secret itself only where Telex has to show it. */
const secretFields = (secret: string | null, connect: string | null): Pick<BotRecord, "digest" | "secret"> => ({
  digest: secret === null ? null : digestOf(secret),
  secret: connect === null ? null : secret,
});

function changeOf({ secret, connect, protocol, ...input }: Input<"amend">, before: BotRecord): BotChange {
  const { account: _account, ...plain } = input;
  const target = connect === undefined ? before.connect : connect;
  // Telex does not store the secret of an account that connects to Telex. To connect to the account, Telex needs it again.
  const isUnknown = secret === undefined && before.digest !== null && before.secret === null;
  if (target !== null && isUnknown) throw invalid("secret", "required");
  return {
    ...Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined)),
    ...(connect !== undefined && { connect }),
    ...(connect === null && { secret: null }),
    ...(protocol !== undefined && { protocol: protocol ?? 0 }),
    ...(secret !== undefined && secretFields(secret, target)),
  };
}

/** Two accounts with one secret would be indistinguishable. @throws TelexError `invalid_request` */
function assertFreeSecret({ gateways, faults }: BotsOperatorDeps, digest: string | null | undefined): void {
  if (typeof digest !== "string") return;
  const isTaken = gateways.some((gateway) =>
    returnOf(faults, gateway.name, "hasSecret", () => gateway.hasSecret?.(digest) === true, false),
  );
  if (isTaken) throw conflict("secret_taken");
}

/** Checks before the members get a notice; the store decides. @throws TelexError `invalid_request` */
function assertNoConflict(others: readonly BotRecord[], { digest, official }: Pick<BotRecord, "digest" | "official">) {
  if (others.some((other) => digest !== null && other.digest === digest)) throw conflict("secret_taken");
  if (official && others.some((other) => other.official)) throw conflict("official_taken");
}

/**
 * The first of two rooms gets the messages. An account that becomes the official one must not take them from a room of its own.
 * @throws TelexError `group_taken`
 */
async function assertOneRoom({ groups }: BotsOperatorDeps, account: string): Promise<void> {
  const pairs = await listRoomPairs(groups, new Set([account]));
  const pair = pairs.find(({ first, second }) => first.groupType !== second.groupType);
  if (pair === undefined) return;
  const params = { first: pair.first.groupId, second: pair.second.groupId };
  throw new TelexError("group_taken", { reason: "group_of_two", params });
}

async function add(deps: BotsOperatorDeps, caller: Admin, { secret, ...input }: Input<"add">, context: CallContext) {
  const token = secret === undefined ? randomBytes(24).toString("base64url") : secret;
  const { name = null, connect = null, protocol = 0 } = input;
  const bot = { ...input, ...secretFields(token, connect), name, connect, protocol, createdAt: deps.clock.now() };
  assertFreeSecret(deps, bot.digest);
  const others = await deps.store.listBots();
  if (others.some(({ account }) => account === bot.account)) throw conflict("account_taken");
  assertNoConflict(others, bot);
  if (bot.official) await assertOneRoom(deps, bot.account);
  // An account that was removed has rooms, and there are rooms without an official account.
  if (caller.kind === "token") await announceChange(deps, caller, bot, context);
  const appended = await deps.store.appendBot(bot);
  if (appended !== "appended") throw conflict(appended);
  return { ...viewOfStored(deps, bot, unseen), token };
}

/** Otherwise, an admin could have Telex connect to any address in its own network, and send the messages of rooms there. */
function assertMayConnect(caller: Admin, connect: string | null | undefined): void {
  if (caller.kind === "operator" || typeof connect !== "string") return;
  throw new TelexError("insufficient_scope", { reason: "bot_connect_reserved" });
}

/** The input without an unchanged address, which a page sends back as it was shown. */
function withoutShown({ connect, ...input }: Input<"amend">, before: BotRecord): Input<"amend"> {
  return connect === undefined || connect === shownConnect(before.connect) ? input : { ...input, connect };
}

async function amend(
  deps: BotsOperatorDeps,
  caller: Admin,
  input: Input<"amend">,
  context: CallContext,
): Promise<BotRecord> {
  const bots = await deps.store.listBots();
  const before = bots.find(({ account }) => account === input.account);
  if (before === undefined) throw missing(input.account);
  const requested = withoutShown(input, before);
  assertMayConnect(caller, requested.connect);
  const change = changeOf(requested, before);
  assertFreeSecret(deps, change.digest);
  assertNoConflict(
    bots.filter((bot) => bot !== before),
    { ...before, ...change },
  );
  if (change.official === true && !before.official) await assertOneRoom(deps, input.account);
  if (caller.kind === "token" && changesConnection(before, change)) {
    const official = before.official || change.official === true;
    await announceChange(deps, caller, { account: input.account, official }, context);
  }
  const amended = await deps.store.amendBot(input.account, change);
  if (amended.outcome === "missing") throw missing(input.account);
  if (amended.outcome !== "amended") throw conflict(amended.outcome);
  return amended.bot;
}

export const createBotsOperator = (deps: BotsOperatorDeps): Implementation<BotsContract> => ({
  list: () => list(deps),
  test: (_operator, { account }) => test(deps, account),
  async add(caller, input, context) {
    assertMayConnect(caller, input.connect);
    if (listShown(deps).some(({ account }) => account.account === input.account)) throw conflict("account_taken");
    const added = await add(deps, caller, input, context);
    await deps.changed();
    return added;
  },
  async amend(caller, input, context) {
    const bot = await amend(deps, caller, input, context);
    await deps.changed();
    return viewOfStored(deps, bot, unseen);
  },
  async remove(caller, { account }, context) {
    const bot = (await deps.store.listBots()).find((one) => one.account === account);
    if (caller.kind === "token" && bot !== undefined) await announceChange(deps, caller, bot, context);
    if (!(await deps.store.dropBot(account))) throw missing(account);
    await deps.changed();
    return null;
  },
});
