import { randomBytes } from "node:crypto";
import type { z } from "zod";
import type { Operator, TokenHolder } from "../contract/caller.ts";
import type { Implementation } from "../contract/operation.ts";
import { TelexError } from "../errors/errors.ts";
import { digestOf } from "../security/secrets.ts";
import type { Clock } from "../time/clock.ts";
import type { BotsContract, BotView } from "./contract.ts";
import type { GatewayFaults } from "./faults.ts";
import type { Gateway, GatewayAccount } from "./gateway.ts";
import type { BotChange, BotConflict, BotRecord, BotStore } from "./store.ts";

/** What the operator's side of accounts needs. */
interface BotsOperatorDeps {
  readonly gateways: readonly Gateway[];
  readonly store: BotStore;
  readonly clock: Clock;
  readonly faults: GatewayFaults;
  /** Makes a change of the stored accounts visible in this process. */
  readonly changed: () => Promise<void>;
}

type Input<Name extends keyof BotsContract> = z.output<BotsContract[Name]["input"]>;

/** An account as its gateway shows it. */
interface Shown {
  readonly gateway: string;
  readonly account: GatewayAccount;
}

/** The accounts of all gateways as they are now. A gateway that fails has none. */
function listShown({ gateways, faults }: BotsOperatorDeps): readonly Shown[] {
  return gateways.flatMap((gateway) => {
    try {
      return gateway.listAccounts().map((account) => ({ gateway: gateway.name, account }));
    } catch (cause) {
      faults.failed(gateway.name, "listAccounts", cause);
      return [];
    }
  });
}

const viewOfShown = ({ gateway, account: shown }: Shown): BotView => ({
  gateway,
  account: shown.account,
  network: shown.network,
  groupTypes: [...shown.groupTypes],
  connected: shown.isConnected,
  online: shown.isConnected && shown.isOnline,
  stored: false,
  connect: null,
  protocol: null,
  minInterval: null,
});

const viewOfStored = (
  { account, gateway, network, official, ...bot }: BotRecord,
  shown: Shown | undefined,
): BotView => ({
  gateway,
  account,
  network,
  groupTypes: official ? [0, 3, 4, 5] : [4, 5],
  connected: shown?.account.isConnected === true,
  online: shown?.account.isConnected === true && shown.account.isOnline,
  stored: true,
  connect: bot.connect,
  protocol: bot.protocol === 0 ? null : bot.protocol,
  minInterval: bot.minInterval,
});

/** The accounts of the gateways in their order, then stored ones that none of them serves. */
async function list(deps: BotsOperatorDeps): Promise<BotView[]> {
  const bots = new Map((await deps.store.listBots()).map((bot) => [bot.account, bot]));
  const shown = listShown(deps).map((one) => {
    const bot = bots.get(one.account.account);
    bots.delete(one.account.account);
    return bot === undefined ? viewOfShown(one) : viewOfStored(bot, one);
  });
  return [...shown, ...Array.from(bots.values(), (bot) => viewOfStored(bot, undefined))];
}

const missing = (account: string): TelexError =>
  new TelexError("not_found", { reason: "account_unknown", params: { account } });

const invalid = (path: string, problem: BotConflict | "required"): TelexError =>
  new TelexError("invalid_request", { issues: [{ path, problem, params: {} }] });

const paths = { account_taken: "account", secret_taken: "secret", official_taken: "official" } as const;
const conflict = (outcome: BotConflict): TelexError => invalid(paths[outcome], outcome);

/** What is stored of a secret: the secret itself only where Telex has to show it. */
const secretFields = (secret: string | null, connect: string | null): Pick<BotRecord, "digest" | "secret"> => ({
  digest: secret === null ? null : digestOf(secret),
  secret: connect === null ? null : secret,
});

/** What is given, without what was left out. */
function changeOf({ secret, connect, protocol, ...input }: Input<"amend">, before: BotRecord): BotChange {
  const { account: _account, ...plain } = input;
  const target = connect === undefined ? before.connect : connect;
  // The secret of an account that connects to Telex is not stored: to connect to it, Telex must be told.
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

async function add({ store, clock }: BotsOperatorDeps, { secret, ...input }: Input<"add">) {
  const token = secret === undefined ? randomBytes(24).toString("base64url") : secret;
  const { connect = null, protocol = 0 } = input;
  const bot = { ...input, ...secretFields(token, connect), connect, protocol, createdAt: clock.now() };
  const appended = await store.appendBot(bot);
  if (appended !== "appended") throw conflict(appended);
  return { ...viewOfStored(bot, undefined), token };
}

async function amend({ store }: BotsOperatorDeps, input: Input<"amend">): Promise<BotRecord> {
  const before = (await store.listBots()).find(({ account }) => account === input.account);
  if (before === undefined) throw missing(input.account);
  const amended = await store.amendBot(input.account, changeOf(input, before));
  if (amended.outcome === "missing") throw missing(input.account);
  if (amended.outcome !== "amended") throw conflict(amended.outcome);
  return amended.bot;
}

/** Telex would open connections to any address of its network, with what is said in the rooms of the account. */
function assertMayConnect(caller: Operator | TokenHolder, connect: string | null | undefined): void {
  if (caller.kind === "operator" || typeof connect !== "string") return;
  throw new TelexError("insufficient_scope", { reason: "bot_connect_reserved" });
}

/** What the operator does with the accounts of external networks. */
export const createBotsOperator = (deps: BotsOperatorDeps): Implementation<BotsContract> => ({
  list: () => list(deps),
  async add(caller, input) {
    assertMayConnect(caller, input.connect);
    if (listShown(deps).some(({ account }) => account.account === input.account)) throw conflict("account_taken");
    const added = await add(deps, input);
    await deps.changed();
    return added;
  },
  async amend(caller, input) {
    assertMayConnect(caller, input.connect);
    const bot = await amend(deps, input);
    await deps.changed();
    return viewOfStored(bot, undefined);
  },
  async remove(_operator, { account }) {
    if (!(await deps.store.dropBot(account))) throw missing(account);
    await deps.changed();
    return null;
  },
});
