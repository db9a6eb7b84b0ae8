import { maskUrl } from "@telex/core/options";
import { choice, integer, list, optional, plainName, toggle } from "../kind.ts";
import { timeZone } from "../quantity-kinds.ts";
import { host, origins, proxies, url } from "../address-kinds.ts";
import { define } from "../setting.ts";

/** Addresses, language, log and metrics of a server. */
export const serverRows = {
  host: define("host", host, "127.0.0.1", "address to listen on; 0.0.0.0 or :: for all addresses"),
  port: define("port", integer(0, 65_535), 7700, "port to listen on; 0 for any free port"),
  bus: define(
    "bus",
    list("addresses of NATS such as nats://10.0.0.1:4222", /^(nats|tls):\/\/[^\s,/]+\/?$/),
    [],
    "NATS servers that connect several servers on one storage; without NATS, servers on MongoDB use change streams",
    (shown) => shown.split(",").map(maskUrl).join(","),
  ),
  installation: define(
    "installation",
    plainName,
    "telex",
    "name of the installation on NATS; all its servers must have the same name, and other installations another one",
  ),
  serverId: define(
    "serverId",
    optional(plainName),
    null,
    "name of this server among several: in its log, in NATS, in telex status and in responses of /readyz",
  ),
  baseUrl: define(
    "baseUrl",
    optional(url("http:", "https:")),
    null,
    "address that clients use, if it differs from the one listened on",
    maskUrl,
  ),
  cors: define("cors", origins, [], "origins whose pages may call this server from a browser; * for all"),
  trustProxy: define("trustProxy", proxies, 0, "number of proxies in front that add to X-Forwarded-For; on means 1"),
  locale: define(
    "locale",
    optional(choice("zh-CN", "en")),
    null,
    "language of messages if the client asks for none; by default zh-CN on the paths and sockets of the interface, en elsewhere",
  ),
  timeZone: define("timeZone", timeZone, "UTC", "time zone of timestamps and of quota periods"),
  memory: define("memory", choice("normal", "small"), "normal", "memory for caches; small takes a quarter"),
  rateLimits: define("rateLimits", toggle, true, "limits on calls per token and per address"),
  socketsPerAddress: define(
    "socketsPerAddress",
    integer(1),
    500,
    "sockets that may be open from one address, with rateLimits on",
  ),
  socketsPerToken: define(
    "socketsPerToken",
    integer(1),
    100,
    "sockets that may be open with one token, with rateLimits on",
  ),
  log: define("log", choice("auto", "json", "pretty"), "auto", "format of the log; auto is pretty on a terminal"),
  logLevel: define("logLevel", choice("error", "warn", "info"), "info", "the least severe level that is logged"),
  accessLog: define("accessLog", toggle, false, "a line in the log for each response, with the template of its path"),
  metricsPort: define(
    "metricsPort",
    optional(integer(0, 65_535)),
    null,
    "port on which Prometheus reads /metrics, without a token; 0 for any free port",
  ),
  metricsHost: define("metricsHost", host, "127.0.0.1", "address to listen on for metricsPort"),
} as const;
