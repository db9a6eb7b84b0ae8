import { readFile } from "node:fs/promises";
import type { Telex } from "@telex/core";
import type { RateLimiter } from "@telex/core/transport";
import type { ListenOptions, Mqtt } from "@telex/mqtt";
import { Failure, UsageError } from "../errors/errors.ts";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";
import { listenError } from "./listen-error.ts";
import { wsOptionsOf } from "./options.ts";

/** MQTT of a server. */
interface MqttServer {
  readonly sockets: Mqtt;
  /**
   * Opens the ports.
   * @returns the addresses
   * @throws Failure if the server cannot listen on one, or the certificate is not valid
   */
  readonly listen: () => Promise<readonly string[]>;
}

async function readPem(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (cause) {
    throw new Failure("file_unreadable", `${file} cannot be read. It must be a file in PEM.`, { cause });
  }
}

/** The certificate; undefined if MQTT over TLS is off. */
async function tlsOf({ get }: Config): Promise<ListenOptions["tls"] | undefined> {
  if (get(settings.mqttTlsPort) === null) return undefined;
  const [cert, key] = [get(settings.mqttCert), get(settings.mqttKey)];
  if (cert === null || key === null) throw new UsageError("mqttTlsPort needs mqttCert and mqttKey.");
  return { cert: await readPem(cert), key: await readPem(key) };
}

/**
 * MQTT for an instance; null if it is off.
 * @throws UsageError for a port of TLS without a certificate
 */
export async function mqttOf(config: Config, telex: Telex, rateLimiter: RateLimiter): Promise<MqttServer | null> {
  const { get } = config;
  const port = get(settings.mqttPort);
  if (port === null) return null;
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
    sockets,
    async listen() {
      const plain = await listen({ host, port }, "mqtt", "--mqtt-port");
      if (tls === undefined) return [plain];
      const tlsPort = get(settings.mqttTlsPort) ?? 0;
      return [plain, await listen({ host, port: tlsPort, tls }, "mqtts", "--mqtt-tls-port")];
    },
  };
}
