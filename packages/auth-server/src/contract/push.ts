import { defineContract, text, word } from "@telex/core/contract";
import { z } from "zod";

const keys = z.object({
  p256dh: word(/^[A-Za-z0-9_-]{87}$/, 87, "invalid").meta({ description: "65 bytes of a point on P-256, base64url." }),
  auth: word(/^[A-Za-z0-9_-]{22}$/, 22, "invalid").meta({ description: "16 bytes, base64url." }),
});

const devices = z
  .object({
    texts: z.boolean().default(false).meta({ description: "Notify of texts that one's own devices send." }),
    offline: z
      .int()
      .min(1)
      .max(1440)
      .nullable()
      .default(null)
      .meta({ description: "Minutes after which a device that is offline causes a notification. Null: none does." }),
  })
  .default({ texts: false, offline: null });

/** Notifications in browsers whose pages are closed. */
export const pushContract = defineContract({
  key: {
    summary: "The public key with which browsers subscribe to notifications (applicationServerKey).",
    access: "chat",
    input: z.object({}),
    output: z.object({ publicKey: z.string().meta({ description: "65 bytes of a point on P-256, base64url." }) }),
    errors: ["not_supported"],
  },
  subscribe: {
    summary:
      "Subscribes the browser of a session to notifications, until the session ends. A subscription with the same endpoint is replaced.",
    access: "chat",
    input: z.object({
      endpoint: word(/^https?:\/\/[!-~]{1,2000}$/, 2008, "invalid").meta({
        description:
          "An address of a push service, with https: unless the setting `pushAllow` names its host and port.",
      }),
      keys,
      text: z.boolean().default(false).meta({
        description: "True: notifications have the beginning of the text, and the push service carries it encrypted.",
      }),
      devices,
    }),
    output: z.object({ id: z.string() }),
    errors: ["not_allowed", "not_supported", "limit_reached"],
  },
  unsubscribe: {
    summary: "Ends one of one's own subscriptions.",
    access: "chat",
    input: z.object({ id: text(1, 64) }),
    output: z.null(),
    errors: ["not_allowed", "not_found"],
  },
});

/** Notifications in browsers. */
export type PushContract = typeof pushContract;
