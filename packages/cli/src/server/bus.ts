import type { Bus, Logger } from "@telex/core";
import { Failure, installed, messageOf, UsageError } from "../errors/errors.ts";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";
import { type Opened, schemeOf } from "../storage/opened.ts";

/** True for storages that several servers can share. */
const isShared = (scheme: string): boolean => scheme.startsWith("mongodb");

/** @throws Failure `client_missing` if the client of NATS is not installed */
const loadNats = () => installed(import("@telex/bus-nats"), noClient);

const noClient = (cause: unknown): Failure =>
  new Failure(
    "client_missing",
    "The client of NATS is not installed. Install it next to Telex: npm install @nats-io/transport-node@3.",
    { cause },
  );

/** Turns an error while joining into a failure with its message. */
const refusing = (bus: Bus): Bus => ({
  join: (receive) =>
    bus.join(receive).catch((error: unknown) => {
      throw new Failure("bus_refused", messageOf(error), { cause: error });
    }),
});

/**
 * Rejects a bus for a storage that only one server can use.
 * @throws UsageError
 */
export function assertBus({ get }: Config): void {
  const scheme = schemeOf(get(settings.storage));
  if (get(settings.bus).length === 0 || isShared(scheme)) return;
  throw notShared(scheme);
}

const notShared = (scheme: string): UsageError =>
  new UsageError(
    `--bus connects servers that share a storage, but only one server can work on ${scheme}. Leave out --bus.`,
  );

/**
 * The bus that connects this server to the others of its installation: NATS if the settings name it, otherwise the bus of the
 * storage.
 * @throws Failure `client_missing`; `bus_refused` when the instance joins
 */
export async function busOf(
  { get }: Config,
  log: Logger,
  { createBus }: Pick<Opened, "createBus">,
): Promise<{ readonly bus?: Bus }> {
  const servers = get(settings.bus);
  if (servers.length === 0) return createBus === null ? {} : { bus: refusing(createBus(log)) };
  const { createNatsBus } = await loadNats();
  const [installation, name] = [get(settings.installation), get(settings.serverId) ?? "telex"];
  return { bus: refusing(createNatsBus({ servers, installation, name, log })) };
}
