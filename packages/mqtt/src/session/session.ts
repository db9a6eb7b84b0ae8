import type { ISubscribePacket, IUnsubscribePacket } from "mqtt-packet";
import type { Ready } from "@telex/ws/acceptor";
import type { Out } from "../io/out.ts";
import type { Rates } from "../io/rates.ts";
import { codes } from "../wire/codes.ts";
import type { Packet } from "../wire/packets.ts";
import type { Publication, Published } from "./publishing.ts";
import type { Subscriptions } from "./subscriptions.ts";

/** The result of a packet. */
export interface Outcome {
  readonly packet?: Packet;
  /** Called when the packet was sent. */
  readonly after?: () => void;
  /** The reason if the connection ends with this packet. */
  readonly end?: number;
  /** True if the client has disconnected without a will. */
  readonly isGraceful?: boolean;
}

interface SessionDeps {
  readonly out: Pick<Out, "version">;
  readonly rates: Rates;
  readonly publish: (publication: Publication) => Promise<Published>;
  readonly subscriptions: Subscriptions;
  /** Resolves with true when the acknowledgement is stored, or with false if it cannot be. Must not reject. */
  readonly acknowledge: (packetId: number) => Promise<boolean>;
}

/** The cost of a packet in calls of the caller's rate. A PUBACK is cheap, because the sender of the text has paid. */
const cost = { publish: 1, filter: 0.2, small: 0.05 } as const;

const protocolError: Outcome = { end: codes.protocolError };

const at = (order: Ready<Outcome>["order"], run: Ready<Outcome>["run"]): Ready<Outcome> => ({ order, run });
const fixed = (outcome: Outcome): Ready<Outcome> => at("alone", () => Promise.resolve(outcome));

type PublishPacket = Extract<Packet, { readonly cmd: "publish" }>;

/** If a publish is refused, MQTT 3.1.1 has no response for it, and neither version has one for QoS 0, so the connection ends. */
function answerPublish({ out }: SessionDeps, { qos, messageId }: PublishPacket, published: Published): Outcome {
  if (published === "retry") return { end: codes.unspecified };
  const isAnswered = qos > 0 && messageId !== undefined;
  if (published !== codes.success && (out.version === 4 || !isAnswered)) return { end: published };
  if (!isAnswered) return {};
  return { packet: { cmd: "puback", messageId, ...(out.version === 5 && { reasonCode: published }) } };
}

function publish(deps: SessionDeps, packet: PublishPacket): Ready<Outcome> {
  if (packet.qos === 2) return fixed({ end: codes.qosNotSupported });
  if (packet.properties?.topicAlias !== undefined) return fixed({ end: codes.invalidTopicAlias });
  return at("together", async () => {
    const paid = deps.rates.pay(cost.publish);
    if (paid !== null) await paid;
    return answerPublish(deps, packet, await deps.publish(packet));
  });
}

function subscribe({ rates, subscriptions }: SessionDeps, packet: ISubscribePacket): Ready<Outcome> {
  const { messageId, subscriptions: asked } = packet;
  if (asked.length === 0 || messageId === undefined) return fixed(protocolError);
  if (packet.properties?.subscriptionIdentifier !== undefined) return fixed({ end: codes.subscriptionIds });
  return at("alone", async () => {
    await rates.pay(cost.filter * asked.length);
    const { granted, begin } = await subscriptions.add(asked);
    return { packet: { cmd: "suback", messageId, granted: [...granted] }, after: begin };
  });
}

function unsubscribe({ rates, subscriptions }: SessionDeps, packet: IUnsubscribePacket): Ready<Outcome> {
  const { messageId, unsubscriptions } = packet;
  if (unsubscriptions.length === 0 || messageId === undefined) return fixed(protocolError);
  return at("alone", async () => {
    await rates.pay(cost.filter * unsubscriptions.length);
    const granted = unsubscriptions.map((filter) =>
      subscriptions.remove(filter) ? codes.success : codes.noSubscription,
    );
    return { packet: { cmd: "unsuback", messageId, granted } };
  });
}

const small = ({ rates }: SessionDeps, run: () => Outcome | Promise<Outcome>): Ready<Outcome> =>
  at("together", async () => {
    const paid = rates.pay(cost.small);
    if (paid !== null) await paid;
    return run();
  });

/** Decides how a packet of an admitted client is handled. */
export function prepare(deps: SessionDeps, packet: Packet): Ready<Outcome> {
  switch (packet.cmd) {
    case "publish":
      return publish(deps, packet);
    case "subscribe":
      return subscribe(deps, packet);
    case "unsubscribe":
      return unsubscribe(deps, packet);
    case "puback":
      // PUBACK has no response. The next response on this connection implies that it is stored, and the end of the connection waits for it.
      return small(deps, async () => {
        const isStored = packet.messageId === undefined || (await deps.acknowledge(packet.messageId));
        return isStored ? {} : { end: codes.unspecified };
      });
    case "pingreq":
      return small(deps, () => ({ packet: { cmd: "pingresp" } }));
    case "disconnect":
      return fixed({ end: codes.success, isGraceful: packet.reasonCode !== codes.disconnectWithWill });
    default:
      return fixed(protocolError);
  }
}
