import type { ConnectionOptions, NodeConnectionOptions } from "@nats-io/transport-node";
import type { Logger } from "@telex/core";
import { checkOptions, type OptionKind, optionKinds, type OptionKinds } from "@telex/core/options";

/** Where NATS is, and who uses it. */
export interface NatsBusOptions {
  /**
   * The addresses of one NATS server or cluster: `nats://host:port`, `nats://user:password@host:port`, or `nats://token@host`;
   * `tls://` requires TLS. User and password of the first address that has some are used for all.
   */
  readonly servers: readonly string[];
  /**
   * The name of the installation. All its servers have the same name, and installations that share a NATS have different ones:
   * 1 to 64 letters, digits, `-` and `_`. Default `telex`.
   */
  readonly installation?: string;
  /** The name of this server in the monitoring of NATS. Default `telex`. */
  readonly name?: string;
  /** Told when the connection breaks and comes back. Default: nobody. */
  readonly log?: Logger;
  /** Further options of the client, such as `tls` with certificates, or an `authenticator`. */
  readonly connection?: Pick<NodeConnectionOptions, "tls"> & Pick<ConnectionOptions, "authenticator">;
}

/** The options with their defaults. */
export interface CompleteNatsOptions {
  readonly installation: string;
  readonly log: Logger | null;
  /** For the client. */
  readonly connection: NodeConnectionOptions;
}

const isAddress = (given: unknown): boolean => {
  const url = typeof given === "string" ? URL.parse(given) : null;
  return url !== null && /^(nats|tls):$/.test(url.protocol) && url.hostname !== "" && /^\/?$/.test(url.pathname);
};

const kinds: OptionKinds<NatsBusOptions> = {
  servers: {
    expected: 'a list of addresses such as ["nats://127.0.0.1:4222"]',
    fits: (given) => Array.isArray(given) && given.length > 0 && given.every(isAddress),
  },
  installation: {
    expected: "1 to 64 letters, digits, - and _",
    fits: (given) => typeof given === "string" && /^[\w-]{1,64}$/.test(given),
  } satisfies OptionKind,
  name: optionKinds.text,
  log: optionKinds.port(["info", "warn", "error"], "a Logger"),
  connection: optionKinds.object,
};

/** Who connects, as the addresses say. */
function credentialsOf(urls: readonly URL[]): Pick<ConnectionOptions, "user" | "pass" | "token"> {
  const found = urls.find(({ username }) => username !== "");
  if (found === undefined) return {};
  const [user, pass] = [decodeURIComponent(found.username), decodeURIComponent(found.password)];
  return pass === "" ? { token: user } : { user, pass };
}

/**
 * The options for the client.
 * @throws TypeError for an option that is unknown, missing or does not fit
 */
export function completeNatsOptions(options: NatsBusOptions): CompleteNatsOptions {
  checkOptions("createNatsBus", options, kinds);
  if (options.servers === undefined) throw new TypeError('createNatsBus needs the option "servers".');
  const urls = options.servers.map((address) => new URL(address));
  const needsTls = urls.some(({ protocol }) => protocol === "tls:");
  return {
    installation: options.installation ?? "telex",
    log: options.log ?? null,
    connection: {
      servers: urls.map(({ host }) => host),
      name: options.name ?? "telex",
      ...credentialsOf(urls),
      ...(needsTls && { tls: {} }),
      ...options.connection,
      // What a member publishes does not come back to it.
      noEcho: true,
      timeout: 3000,
      // A server of NATS that has gone silent is found out within 10 s.
      pingInterval: 5000,
      maxPingOut: 2,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 250,
      reconnectJitter: 250,
      ignoreAuthErrorAbort: true,
    },
  };
}
