import { maskUrl } from "@telex/core/options";
import { host, url } from "../address-kinds.ts";
import { integer, optional, plainName, text, toggle } from "../kind.ts";
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
  mqttUrl: define(
    "mqttUrl",
    optional(url("mqtt:", "mqtts:", "ws:", "wss:")),
    null,
    "existing MQTT 5 broker that Telex connects to, with its user and password, such as mqtts://telex:secret@broker.example",
    maskUrl,
  ),
  mqttTrust: define(
    "mqttTrust",
    toggle,
    false,
    "whether the broker of mqttUrl decides who publishes for devices; off: messages count with a token of Telex only",
  ),
} as const;
