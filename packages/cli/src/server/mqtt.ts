import { readFile } from "node:fs/promises";
import type { Telex } from "@telex/core";
import type { RateLimiter } from "@telex/core/transport";
import type { ListenOptions, Mqtt } from "@telex/mqtt";
import type { Broker } from "@telex/mqtt/broker";
import { Failure, UsageError } from "../errors/errors.ts";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";
import { brokerOf } from "./broker.ts";
import { listenError } from "./listen-error.ts";
import { wsOptionsOf } from "./options.ts";

/** MQTT of a server: its own ports, an existing broker, both or neither. */
interface MqttServer {
  /** One for upgrades to `/mqtt`; none without ports. */
  readonly sockets: readonly Mqtt[];
  /**
   * Opens the ports, and begins to connect to the broker.
   * @returns the addresses of the ports
   * @throws Failure if the server cannot listen on one, or the certificate is not valid
   */
  readonly listen: () => Promise<readonly string[]>;
  /** Ends the connection to the broker. The ports close with the other sockets. */
  readonly close: () => Promise<void>;
}

async function readPem(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (cause) {
    throw new Failure("file_unreadable", `${file} cannot be read. It must be a PEM file.`, { cause });
  }
}

/** The certificate; undefined if MQTT over TLS is off. */
async function tlsOf({ get }: Config): Promise<ListenOptions["tls"] | undefined> {
  if (get(settings.mqttTlsPort) === null) return undefined;
  const [cert, key] = [get(settings.mqttCert), get(settings.mqttKey)];
  if (cert === null || key === null) throw new UsageError("mqttTlsPort needs mqttCert and mqttKey.");
  return { cert: await readPem(cert), key: await readPem(key) };
}

type Ports = Pick<MqttServer, "sockets" | "listen">;

const noPorts: Ports = { sockets: [], listen: () => Promise.resolve([]) };

/** @throws UsageError for a port of TLS without a certificate */
async function portsOf(config: Config, telex: Telex, rateLimiter: RateLimiter): Promise<Ports> {
  const { get } = config;
  const port = get(settings.mqttPort);
  if (port === null) return noPorts;
  const tls = await tlsOf(config);
  const { trustProxy = 0, socketsPerAddress, socketsPerToken } = wsOptionsOf(config);
  const { createMqtt } = await import("@telex/mqtt");
  const sockets = createMqtt(telex, {
    rateLimiter,
    trustProxy,
    ...(socketsPerAddress !== undefined && { socketsPerAddress }),
    ...(socketsPerToken !== undefined && { socketsPerToken }),
    discovery: get(settings.mqttDiscovery) ?? "",
  });
  const host = get(settings.mqttHost);
  const shown = host.includes(":") ? `[${host}]` : host;
  const listen = async (where: ListenOptions, scheme: string, portFlag: string): Promise<string> => {
    try {
      return `${scheme}://${shown}:${await sockets.listen(where)}`;
    } catch (cause) {
      throw listenError(cause, { host, port: where.port, hostFlag: "--mqtt-host", portFlag });
    }
  };
  return {
    sockets: [sockets],
    async listen() {
      const plain = await listen({ host, port }, "mqtt", "--mqtt-port");
      if (tls === undefined) return [plain];
      const tlsPort = get(settings.mqttTlsPort) ?? 0;
      return [plain, await listen({ host, port: tlsPort, tls }, "mqtts", "--mqtt-tls-port")];
    },
  };
}

/**
 * MQTT for an instance.
 * @throws UsageError for a port of TLS without a certificate
 */
export async function mqttOf(config: Config, telex: Telex, rateLimiter: RateLimiter): Promise<MqttServer> {
  const { sockets, listen } = await portsOf(config, telex, rateLimiter);
  let broker: Broker | null = null;
  return {
    sockets,
    async listen() {
      const addresses = await listen();
      broker = await brokerOf(config, telex, rateLimiter);
      return addresses;
    },
    close: async () => broker?.close(),
  };
}
