import type { Limits } from "@telex/core";
import { integer } from "../kind.ts";
import { duration, size } from "../quantity-kinds.ts";
import { define, type Setting } from "../setting.ts";

const hour = 3_600_000;
const day = 24 * hour;
const mib = 2 ** 20;

/** Limits of an instance. Each has the name of its field in `Limits`, so that it needs only its row. */
export const limitRows = {
  userUploads: define("userUploads", size, 1024 * mib, "bytes that a user may upload in a day"),
  codeUploads: define("codeUploads", size, 1024 * mib, "bytes that all uploads by code together may occupy"),
  unusedFileLife: define("unusedFileLife", duration, day, "how long a user's file is kept if no message uses it"),
  codeFileLife: define("codeFileLife", duration, hour, "how long a file that was uploaded by code is kept"),
  imageLife: define("imageLife", duration, 90 * day, "how long an image of a message is kept"),
  devicesPerUser: define("devicesPerUser", integer(1), 1000, "devices that a user may have"),
  deviceQueue: define("deviceQueue", integer(1), 10_000, "messages that may wait for one device"),
  roomTokens: define("roomTokens", integer(100), 8000, "tokens of a room's last messages that a model in it gets"),
} as const satisfies Partial<Record<keyof Limits, Setting<number>>>;
