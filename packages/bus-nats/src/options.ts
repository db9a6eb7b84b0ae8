import type { ConnectionOptions, NodeConnectionOptions } from "@nats-io/transport-node";
import type { Logger } from "@telex/core";
import { checkOptions, type OptionKind, optionKinds, type OptionKinds } from "@telex/core/options";

/** The addresses of NATS, and the name of the installation. */
export interface NatsBusOptions {
  /**
   * The addresses of one NATS server or cluster: `nats://host:port`, `nats://user:password@host:port`, or `nats://token@host`;
   * `tls://` requires TLS. The user and password of the first address that has them are used for all addresses.
   */
  readonly servers: readonly string[];
  /**
   * The name of the installation. All its servers have the same name, and installations that share a NATS have different ones:
   * 1 to 64 letters, digits, `-` and `_`. Default `telex`.
   */
  readonly installation?: string;
  /** The name of this server in the monitoring of NATS. Default `telex`. */
  readonly name?: string;
  /** Logs when the connection is lost and restored. Default: no log. */
  readonly log?: Logger;
  /** Further options of the client, such as `tls` with certificates, or an `authenticator`. */
  readonly connection?: Pick<NodeConnectionOptions, "tls"> & Pick<ConnectionOptions, "authenticator">;
}

export interface CompleteNatsOptions {
  readonly installation: string;
  readonly log: Logger | null;
  readonly connection: NodeConnectionOptions;
}

const isAddress = (value: unknown): boolean => {
  const url = typeof value === "string" ? URL.parse(value) : null;
  return url !== null && /^(nats|tls):$/.test(url.protocol) && url.hostname !== "" && /^\/?$/.test(url.pathname);
};

const kinds: OptionKinds<NatsBusOptions> = {
  servers: {
    expected: 'a list of addresses such as ["nats://127.0.0.1:4222"]',
    fits: (value) => Array.isArray(value) && value.length > 0 && value.every(isAddress),
  },
  installation: {
    expected: "1 to 64 letters, digits, - and _",
    fits: (value) => typeof value === "string" && /^[\w-]{1,64}$/.test(value),
  } satisfies OptionKind,
  name: optionKinds.text,
  log: optionKinds.port(["info", "warn", "error"], "a Logger"),
  connection: optionKinds.object,
};

/** The credentials in the addresses. */
function credentialsOf(urls: readonly URL[]): Pick<ConnectionOptions, "user" | "pass" | "token"> {
  const match = urls.find(({ username }) => username !== "");
  if (match === undefined) return {};
  const [user, pass] = [decodeURIComponent(match.username), decodeURIComponent(match.password)];
  return pass === "" ? { token: user } : { user, pass };
}

/**
 * Checks the options and builds those of the client.
 * @throws TypeError for an option that is unknown, missing or invalid
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
      // A server does not receive its own events.
      noEcho: true,
      timeout: 3000,
      // The client notices a silent server of NATS within 10 s.
      pingInterval: 5000,
      maxPingOut: 2,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 250,
      reconnectJitter: 250,
      ignoreAuthErrorAbort: true,
    },
  };
}
