import { setTimeout as sleep } from "node:timers/promises";
import { Failure, messageOf } from "../errors/errors.ts";
import type { Network } from "./network.ts";
import type { BotSocket } from "./push.ts";

/** Milliseconds before the bot reconnects. */
const pause = 200;

/** Milliseconds after which a running server knows a new account. */
const untilKnown = 1500;

/** How the bot and Telex connect. */
export interface BotConnection {
  readonly version: 11 | 12;
  /** The address of the server. */
  readonly url: string;
  /** `""` for an account without a secret. */
  readonly secret: string;
  /** The address at which the bot accepts connections; null if it connects itself. */
  readonly listen: { readonly host: string; readonly port: number } | null;
  /** The account whose events the bot posts while it accepts requests of Telex; null for WebSocket. */
  readonly http: string | null;
}

const closed = async (socket: BotSocket): Promise<void> =>
  await new Promise((resolve) => socket.on("close", () => resolve()));

const isRefused = (cause: unknown): boolean => /response: 40[13]$/.test(messageOf(cause));

function refusal(url: string, cause: unknown): Failure {
  const { host } = new URL(url);
  if (!isRefused(cause))
    return new Failure("unreachable", `The bot cannot connect to ${host}: ${messageOf(cause)}.`, { cause });
  return new Failure("refused", `${host} refuses the secret of the account. "telex bot set" sets another one.`, {
    cause,
  });
}

/** Connects to Telex repeatedly: reverse WebSocket. Rejects if the first connection is refused. */
async function keepConnected(
  { version, url, secret: token }: BotConnection,
  { bot }: Network,
  opened: (socket: BotSocket) => void,
  end: AbortSignal,
): Promise<void> {
  const address = `${url.replace(/^http/, "ws")}/onebot/v${version}/ws`;
  const connect = async () => await bot.connect(address, { token });
  const connectLater = async (cause: unknown): ReturnType<typeof connect> => {
    if (!isRefused(cause)) throw cause;
    await sleep(untilKnown, undefined, { signal: end });
    return await connect();
  };
  const first = await connect()
    .catch(connectLater)
    .catch((cause: unknown) => {
      throw refusal(url, cause);
    });
  const again = async (): Promise<Awaited<ReturnType<typeof connect>>> => {
    for (;;) {
      await sleep(pause, undefined, { signal: end });
      const next = await connect().catch(() => null);
      if (next !== null) return next;
    }
  };
  const keep = async (): Promise<never> => {
    for (let socket = first; ; socket = await again()) {
      opened(socket);
      await closed(socket);
    }
  };
  // `sleep` rejects at the end.
  keep().catch(() => undefined);
}

const noAddress = (cause: unknown): Failure =>
  new Failure("no_address", `The bot cannot wait there: ${messageOf(cause)}.`, { cause });

/** Accepts requests of Telex, and posts events. `opened` is called when both work, `failed` if Telex rejects the events. */
async function waitForRequests(
  { version, url, secret: token, listen }: BotConnection,
  { account, network }: { readonly account: string; readonly network: Network },
  { opened, failed }: { readonly opened: () => void; readonly failed: (cause: Failure) => void },
): Promise<string> {
  const { bot } = network;
  const events = `${url}/onebot/v${version}/webhook/${encodeURIComponent(account)}`;
  let isFirst = true;
  const greet = async (): Promise<void> => {
    const status = await bot.greet();
    if (status < 300) return opened();
    const { host } = new URL(url);
    return failed(new Failure("refused", `${host} refuses the events of ${account}: HTTP status ${status}.`));
  };
  const requested = (): void => {
    if (isFirst) greet().catch((cause: unknown) => failed(refusal(url, cause)));
    isFirst = false;
  };
  return await bot.listen({ ...listen, token, events, asked: requested });
}

/**
 * Connects the bot of a network and Telex until `end` aborts.
 * @param ready called with the address of the bot
 * @returns the number of connections so far, and a promise that resolves with the first
 * @throws Failure if the server rejects the bot, or the bot cannot listen at its address
 */
export async function connectBot(
  connection: BotConnection,
  network: Network,
  ready: (address: string) => void,
  end: AbortSignal,
) {
  const first = Promise.withResolvers<void>();
  let count = 0;
  const opened = (socket: BotSocket): void => {
    count += 1;
    network.push.use(socket);
    first.resolve();
  };
  end.addEventListener("abort", () => network.bot.end(), { once: true });
  const { http: account, listen } = connection;
  if (account === null && listen === null) await keepConnected(connection, network, opened, end);
  else {
    const requested = (): void => {
      count += 1;
      first.resolve();
    };
    const waits =
      account === null
        ? network.bot.accept({ host: "127.0.0.1", port: 0, ...listen, token: connection.secret, opened })
        : waitForRequests(connection, { account, network }, { opened: requested, failed: first.reject });
    ready(
      await waits.catch((cause: unknown) => {
        throw noAddress(cause);
      }),
    );
  }
  return { first: first.promise, count: () => count };
}
