import { choice } from "../kind.ts";
import { define } from "../setting.ts";

const access = choice("public", "token");

/** Operations that callers without a token may use. */
export const accessRows = {
  accessImages: define("accessImages", access, "public", "who may turn stored pictures into text"),
  accessAvatars: define("accessAvatars", access, "public", "who may see avatars"),
  accessCodes: define("accessCodes", access, "public", "who may ask for upload codes and use them"),
  accessDownloads: define("accessDownloads", access, "public", "who may download files"),
  accessPairing: define("accessPairing", access, "public", "who may pair a device with a user"),
} as const;
