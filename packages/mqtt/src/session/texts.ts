import type { DeviceMessageView, Telex } from "@telex/core";
import type { DeviceAttendance, DeviceConnection, DeviceFeed, LiveConnection, LiveEvent } from "@telex/core/transport";
import type { Out } from "../io/out.ts";
import { topicOf } from "../topics/topics.ts";
import { propertiesOf } from "./properties.ts";
import { createStoring } from "./storing.ts";
import { createPacketIds, createWindow, type Window } from "./window.ts";

type Qos = 0 | 1;

/** The texts of a device's subscription to `to`. */
export interface Texts {
  /**
   * Takes over the queue of the device. Subscribing again changes the quality of service.
   * @returns false if another connection has taken over since
   * @throws TelexError `device_not_found`, `not_owner`
   */
  readonly subscribe: (qos: Qos) => Promise<boolean>;
  /** Publishes the waiting texts, and then new ones. */
  readonly begin: () => void;
  /** Stops publishing. Published texts can still be acknowledged. */
  readonly unsubscribe: () => void;
  /**
   * Handles a PUBACK of a text or of another packet. Never rejects.
   * @returns false if it could not be stored: the connection should end, and the text is sent again
   */
  readonly acknowledge: (packetId: number) => Promise<boolean>;
  /** Resolves when texts are no longer held. */
  readonly end: () => Promise<void>;
}

/** The connection to which the texts of a device are sent. */
export type TextsOut = Pick<Out, "version" | "send" | "isEnded" | "atEnd" | "flushed">;

interface TextsDeps {
  readonly telex: Telex;
  readonly live: LiveConnection;
  readonly out: TextsOut;
  readonly deviceId: string;
  /** For the call that connects, which is a sign of life over this connection. */
  readonly attendance: Pick<DeviceAttendance, "during">;
  /** Maximum unacknowledged QoS 1 texts. */
  readonly window: number;
  /** Undefined for the order of their ids. */
  readonly order: "priority" | undefined;
  /** The number of other unacknowledged QoS 1 packets. */
  readonly others: () => number;
}

/** A subscription with its feed. */
interface Subscription {
  readonly qos: Qos;
  readonly window: Window;
  readonly feed: Promise<DeviceFeed | null>;
}

const textsOf = (events: readonly LiveEvent[]): readonly DeviceMessageView[] =>
  events.flatMap((event) => (event.kind === "device_message" ? [event.data] : []));

const second = 1000;

/** Milliseconds that are left of the life of a text, which also passes while the text waits; undefined if it has no end. */
const leftOf = ({ clock }: Telex, { expiresAt }: DeviceMessageView): number | undefined =>
  expiresAt === undefined ? undefined : Date.parse(expiresAt) - clock.now();

interface PushDeps extends Pick<TextsDeps, "telex" | "out" | "deviceId"> {
  readonly qos: Qos;
  readonly window: Window;
  /** Gives up a text that expired before it could be published. */
  readonly giveUp: (textId: number) => void;
}

function createPush({ telex, out, deviceId, qos, window, giveUp }: PushDeps): DeviceConnection["push"] {
  const topic = topicOf(deviceId, "to");
  const publish = (text: DeviceMessageView, messageId: number, left: number | undefined): void =>
    out.send({
      cmd: "publish",
      topic,
      payload: text.content,
      qos,
      dup: false,
      retain: false,
      ...(qos === 1 && { messageId }),
      ...(out.version === 5 && { properties: propertiesOf(text, left && Math.ceil(left / second)) }),
    });
  return async (events) => {
    for (const text of textsOf(events)) {
      const packetId = await window.enter(text.id);
      if (packetId === null || out.isEnded()) return false;
      const left = leftOf(telex, text);
      const isOver = left !== undefined && left <= 0;
      if (isOver) giveUp(text.id);
      else publish(text, packetId, left);
      if (isOver || qos === 0) window.leave(packetId);
    }
    return qos === 1 || (await out.flushed());
  };
}

/** The connection of a subscription for core. Any newer connection of the device may replace it, so `ping` resolves with false. */
const connectionOf = (live: LiveConnection, push: DeviceConnection["push"]): DeviceConnection => ({
  holder: live.holder,
  write: () => undefined,
  push,
  ping: () => Promise.resolve(false),
  close: (reason) => live.close(reason),
});

export function createTexts(deps: TextsDeps): Texts {
  const { telex, live, out, deviceId, attendance } = deps;
  const order = deps.order === undefined ? {} : { order: deps.order };
  const ids = createPacketIds();
  let current: Subscription | null = null;
  const failed = (event: string) => (cause: unknown) => telex.log.error(event, { deviceId }, cause);
  const store = createStoring(telex.clock, failed("mqtt.acknowledge_failed"));
  let storing = 0;
  const close = async (subscription: Subscription): Promise<void> => {
    subscription.window.close();
    if (current === subscription) current = null;
    await subscription.feed.then((feed) => feed?.close()).catch(failed("mqtt.requeue_failed"));
  };
  /** Published texts can still be acknowledged after the subscription has ended, and must not be sent again. */
  const closeWhenIdle = (subscription: Subscription): Promise<void> => {
    const { window } = subscription;
    return window.isPaused() && window.size() + storing === 0 ? close(subscription) : Promise.resolve();
  };
  const open = async (qos: Qos): Promise<boolean> => {
    const window = createWindow(deps.window, ids, deps.others);
    const giveUp = (textId: number): void =>
      void feed.then((opened) => opened?.acknowledge(textId, true)).catch(failed("mqtt.give_up_failed"));
    const connection = connectionOf(live, createPush({ telex, out, deviceId, qos, window, giveUp }));
    const options = { deviceId, ack: qos === 1, takesOver: true, ...order };
    const feed = attendance.during(() => telex.connectDevice(connection, options));
    window.pause(true);
    current = { qos, window, feed };
    out.atEnd(window.close);
    return (await feed) !== null;
  };
  return {
    async subscribe(qos) {
      if (current?.qos === qos) return true;
      if (current !== null) await close(current);
      return open(qos);
    },
    begin: () => current?.window.pause(false),
    unsubscribe() {
      if (current === null) return;
      current.window.pause(true);
      void closeWhenIdle(current);
    },
    async acknowledge(packetId) {
      const subscription = current;
      const textId = subscription?.window.leave(packetId) ?? null;
      if (subscription === null || textId === null) return true;
      storing += 1;
      const isStored = await store(subscription, textId).finally(() => (storing -= 1));
      await closeWhenIdle(subscription);
      return isStored;
    },
    end: async () => {
      if (current !== null) await close(current);
    },
  };
}
