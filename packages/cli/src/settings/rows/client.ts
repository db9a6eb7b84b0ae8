import { maskAll, maskUrl } from "@telex/core/options";
import { secret, optional, text } from "../kind.ts";
import { url } from "../address-kinds.ts";
import { define } from "../setting.ts";

/** The address of a server that was started without settings. */
export const defaultUrl = "http://127.0.0.1:7700";

/** The server and the token of client commands. */
export const clientRows = {
  url: define("url", url("http:", "https:"), defaultUrl, "server that client commands use", maskUrl),
  token: define(
    "token",
    optional(secret("<token>")),
    null,
    "access token of client commands; other users of the machine can see a flag, so prefer TELEX_TOKEN or a file",
    maskAll,
  ),
  profile: define(
    "profile",
    optional(text("<name>")),
    null,
    "server and token that telex login stored under this name",
  ),
  tokenFile: define("tokenFile", optional(text("<file>")), null, "file with the access token of client commands"),
} as const;
