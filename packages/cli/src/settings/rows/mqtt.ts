import { host } from "../address-kinds.ts";
import { integer, optional, plainName, text } from "../kind.ts";
import { define } from "../setting.ts";
import { serverRows } from "./server.ts";

const port = optional(integer(0, 65_535));

/** MQTT for devices and their owners. */
export const mqttRows = {
  mqttPort: define(
    "mqttPort",
    port,
    null,
    "port for MQTT, which also turns on /mqtt for WebSockets on the port of HTTP; 0 for any free port",
  ),
  mqttHost: define("mqttHost", host, (read) => read(serverRows.host), "address to listen on for MQTT"),
  mqttTlsPort: define("mqttTlsPort", port, null, "port for MQTT over TLS, with mqttPort, mqttCert and mqttKey"),
  mqttCert: define(
    "mqttCert",
    optional(text("<file>")),
    null,
    "file of the certificate for mqttTlsPort, with its chain, in PEM",
  ),
  mqttKey: define("mqttKey", optional(text("<file>")), null, "file of the key of mqttCert, in PEM"),
  mqttDiscovery: define(
    "mqttDiscovery",
    optional(plainName),
    "homeassistant",
    "first level of the topics under which Home Assistant finds devices; empty for none",
  ),
} as const;
