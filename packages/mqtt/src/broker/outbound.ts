import type { Telex, TokenHolder } from "@telex/core";
import type { CloseReason, LiveConnection } from "@telex/core/transport";
import type { IPublishPacket } from "mqtt-packet";
import { createTexts, type TextsOut } from "../session/texts.ts";
import type { BrokerLink } from "./link.ts";

/** Publishes the texts of one device to the broker. */
export interface Outbound {
  /** Queues unacknowledged texts again. Never rejects. */
  readonly end: () => Promise<void>;
}

interface OutboundDeps {
  readonly telex: Telex;
  readonly link: BrokerLink;
  readonly holder: TokenHolder;
  readonly deviceId: string;
  /** Maximum unacknowledged texts. */
  readonly window: number;
  /** Called when the broker has not forwarded a text: there is no subscriber (0x10), or it failed with this code. */
  readonly refused: (code: number) => void;
  /** Called when core has closed the connection of the device. */
  readonly closed: (reason: CloseReason) => void;
}

/** The end of the connection for `texts`. */
function createEnd() {
  const tasks: (() => void)[] = [];
  const state = { isEnded: false };
  return {
    isEnded: () => state.isEnded,
    atEnd: (task: () => void): void => (state.isEnded ? task() : void tasks.push(task)),
    end: (): void => {
      state.isEnded = true;
      for (const task of tasks.splice(0)) task();
    },
  };
}

/** Starts to publish. A text is delivered with the broker's PUBACK, if it has a subscriber. */
export function openOutbound(deps: OutboundDeps): Outbound {
  const { telex, link, holder, deviceId, window, refused, closed } = deps;
  const { isEnded, atEnd, end } = createEnd();
  const acknowledge = async (packetId: number): Promise<void> => {
    const isStored = await texts.acknowledge(packetId);
    if (!isStored && !isEnded()) closed("too_slow");
  };
  const publish = async (packet: IPublishPacket): Promise<void> => {
    const code = await link.publish(packet);
    if (code === 0) await acknowledge(packet.messageId ?? 0);
    else if (code !== null && !isEnded()) refused(code);
  };
  const out: TextsOut = {
    version: 5,
    isEnded,
    atEnd,
    flushed: () => Promise.resolve(!isEnded()),
    send(packet) {
      if (packet.cmd === "publish") void publish(packet);
    },
  };
  const live: LiveConnection = { holder, write() {}, close: (reason) => isEnded() || closed(reason) };
  const texts = createTexts({
    telex,
    live,
    out,
    deviceId,
    attendance: { during: (call) => call() },
    window,
    order: undefined,
    others: () => 0,
  });
  const failed = (cause: unknown): void => {
    telex.log.error("mqtt.broker_device_failed", { deviceId }, cause);
    if (!isEnded()) closed("too_slow");
  };
  void texts.subscribe(1).then((isOpen) => isOpen && !isEnded() && texts.begin(), failed);
  return {
    async end() {
      end();
      await texts.end();
    },
  };
}
