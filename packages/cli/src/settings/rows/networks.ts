import { maskUrl } from "@telex/core/options";
import { choice, list, optional, toggle } from "../kind.ts";
import { template } from "../address-kinds.ts";
import { define } from "../setting.ts";

/** External networks, pictures and avatars. */
export const networkRows = {
  avatarUrlExt: define(
    "avatarUrlExt",
    optional(template),
    null,
    "URL of avatars of external users, with {id} and {size}",
    maskUrl,
  ),
  avatarUrlExtGroup: define(
    "avatarUrlExtGroup",
    optional(template),
    null,
    "URL of avatars of external groups, with {id} and {size}",
    maskUrl,
  ),
  avatarAllow: define(
    "avatarAllow",
    list("host:port", /^(\[[0-9A-Fa-f:.]+\]|[^\s:,/[\]]+):\d{1,5}$/),
    [],
    "private addresses (host:port) from which the server may fetch avatars",
  ),
  onebot: define(
    "onebot",
    toggle,
    true,
    "let OneBot frameworks act as users for whom telex user set --onebot allows it",
  ),
  mediaAllow: define(
    "mediaAllow",
    list("host:port", /^(\[[0-9A-Fa-f:.]+\]|[^\s:,/[\]]+):\d{1,5}$/),
    [],
    "private addresses (host:port) from which the server may fetch pictures and files of bots",
  ),
  unknownRooms: define(
    "unknownRooms",
    choice("ignore", "create"),
    "ignore",
    "what happens to messages from rooms of external networks that have no chat room",
  ),
  missingImage: define("missingImage", choice("404", "placeholder"), "404", "response for an image that was deleted"),
} as const;
