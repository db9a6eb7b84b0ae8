import type { Telex } from "@telex/core";
import type { Admission } from "../admission/admission.ts";
import type { Out } from "../io/out.ts";
import { topicOf } from "../topics/topics.ts";
import { tokenPacketId } from "./window.ts";

/** Publishes the token to a device that has logged in with the secret of its pairing. */
interface Offering {
  readonly publish: () => void;
  /** Handles a PUBACK of any packet. Never rejects. */
  readonly acknowledge: (packetId: number) => Promise<void>;
  /** True until the device has acknowledged the token. */
  readonly isSending: () => boolean;
}

/** The secret of the pairing ends when the device has acknowledged the token. Until then, the device can log in with it again. */
export function createOffering(
  { telex, out }: { readonly telex: Telex; readonly out: Out },
  { login, offer }: Pick<Admission, "login" | "offer">,
): Offering {
  let waiting = login.as === "device" ? offer : null;
  return {
    publish() {
      if (login.as !== "device" || waiting === null) return;
      out.send({
        cmd: "publish",
        topic: topicOf(login.deviceId, "token"),
        payload: waiting.token,
        qos: 1,
        dup: false,
        retain: false,
        messageId: tokenPacketId,
      });
    },
    async acknowledge(packetId) {
      if (packetId !== tokenPacketId || waiting === null) return;
      const taken = waiting;
      waiting = null;
      await taken.taken().catch((cause: unknown) => telex.log.error("mqtt.pairing_failed", {}, cause));
    },
    isSending: () => waiting !== null,
  };
}
