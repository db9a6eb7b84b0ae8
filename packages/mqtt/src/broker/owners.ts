import { type DeviceView, operator, type Telex } from "@telex/core";
import type { LiveEvent } from "@telex/core/transport";
import type { IPublishPacket } from "mqtt-packet";
import { configsOf, type Discovery } from "../topics/discovery.ts";
import { readTopic, topicOf } from "../topics/topics.ts";
import type { Packet } from "../wire/packets.ts";
import { ownMark } from "./incoming.ts";
import type { BrokerLink } from "./link.ts";
import { brokerTransport, type Members } from "./members.ts";
import { createOwner, type Owner } from "./owner.ts";

interface OwnersDeps {
  readonly telex: Telex;
  readonly discovery: Discovery | null;
  /** True to publish the devices of all users at the broker, false for only those that came over it. */
  readonly isTrusted: boolean;
  readonly members: Members;
  readonly link: () => BrokerLink | null;
  readonly isEcho: (event: LiveEvent) => boolean;
}

/** All users of the installation. Their devices can come over the broker. */
interface Owners {
  readonly begin: () => Promise<void>;
  /** Call it when a user was added, or is perhaps no longer suspended. */
  readonly changed: (userId: number) => void;
  /** Null for an unknown device. */
  readonly ownerOf: (deviceId: string) => number | null;
  /** Call it when a device of this user has come over the broker. */
  readonly came: (deviceId: string, owner: number) => void;
  readonly publishRetained: () => Promise<void>;
  readonly end: () => void;
}

/** Users on one page. */
const pageSize = 1000;
/** Milliseconds between checks for new users. */
const checkInterval = 10_000;

async function* usersAfter({ operator: { users } }: Telex, last: number): AsyncGenerator<number> {
  let page = await users.list(operator, { limit: pageSize, ...(last > 0 && { after: last }) });
  while (page.length > 0) {
    yield* page.map(({ id }) => id);
    page = await users.list(operator, { limit: pageSize, after: page.at(-1)?.id ?? 0 });
  }
}

/** The device that a topic is about. */
const deviceIn = (topic: string): string =>
  readTopic(topic)?.deviceId ?? topic.split("/")[2]?.slice("telex_".length) ?? "";

const marked = ({ topic, payload, properties }: IPublishPacket): IPublishPacket => ({
  cmd: "publish",
  topic,
  payload,
  qos: 0,
  dup: false,
  retain: readTopic(topic)?.name !== "from",
  properties: { userProperties: { ...properties?.userProperties, ...ownMark } },
});

/** The known devices of the installation, and the publication of their states. */
function createShown({ discovery, isTrusted, members, link }: OwnersDeps) {
  const owned = new Map<string, number>();
  /** Devices that came over the broker. They are published there while they exist. */
  const seen = new Set<string>();
  const isShown = (deviceId: string): boolean => isTrusted || seen.has(deviceId);
  const send = (packet: Packet): void => {
    if (packet.cmd === "publish" && isShown(deviceIn(packet.topic))) void link()?.publish(marked(packet));
  };
  const forget = (deviceId: string): void => {
    owned.delete(deviceId);
    seen.delete(deviceId);
    members.forget(deviceId);
  };
  /** Returns true for a device that had not come before. */
  const came = (deviceId: string, userId: number): boolean => {
    const isNew = !seen.has(deviceId);
    owned.set(deviceId, userId);
    seen.add(deviceId);
    members.enter(deviceId, userId);
    return isNew;
  };
  return {
    owned,
    send,
    came,
    found({ deviceId, transport }: DeviceView, userId: number, isListed: boolean): void {
      owned.set(deviceId, userId);
      if (isListed && transport === brokerTransport) came(deviceId, userId);
    },
    /** Removes the retained messages of a device with empty ones. */
    gone(deviceId: string): void {
      const configs = discovery === null ? [] : configsOf(discovery, { deviceId, name: "" });
      for (const topic of [topicOf(deviceId, "status"), ...configs.map((config) => config.topic)])
        send({ cmd: "publish", topic, payload: "", qos: 0, dup: false, retain: true });
      forget(deviceId);
    },
    forgetAll(userId: number): void {
      for (const [deviceId, owner] of owned) if (owner === userId) forget(deviceId);
    },
  };
}

/** Regularly looks for new users. */
function createCheck({ telex }: OwnersDeps, add: (userId: number) => Promise<void>, failed: (cause: unknown) => void) {
  const { clock } = telex;
  const state = { last: 0, isOver: false, cancel: (): void => {} };
  const check = async (): Promise<void> => {
    for await (const userId of usersAfter(telex, state.last)) {
      await add(userId);
      state.last = userId;
    }
  };
  const later = (): void => {
    if (state.isOver) return;
    state.cancel = clock.after(checkInterval, () => void check().catch(failed).finally(later));
  };
  return {
    begin: () => check().finally(later),
    /** Makes the next check start again with the first user. */
    forget: (): void => void (state.last = 0),
    end(): void {
      state.isOver = true;
      state.cancel();
    },
  };
}

export function createOwners(deps: OwnersDeps): Owners {
  const { telex, discovery, isTrusted, isEcho, link } = deps;
  const owners = new Map<number, Owner>();
  const shown = createShown(deps);
  let isOver = false;
  const failed = (cause: unknown): void => telex.log.error("mqtt.broker_failed", {}, cause);
  const drop = (userId: number): void => {
    owners.get(userId)?.end();
    owners.delete(userId);
    shown.forgetAll(userId);
  };
  const open = (userId: number): Owner =>
    createOwner(userId, {
      telex,
      discovery,
      send: shown.send,
      found: (device, isListed) => shown.found(device, userId, isListed),
      gone: (deviceId) => shown.gone(deviceId),
      isEcho,
      ended(reason) {
        drop(userId);
        if (reason !== "token_ended") check.forget();
      },
    });
  const add = async (userId: number): Promise<void> => {
    if (isOver || owners.has(userId)) return;
    const one = open(userId);
    owners.set(userId, one);
    try {
      await one.begin();
      if (link() !== null) await one.publishRetained();
    } catch (cause) {
      drop(userId);
      check.forget();
      throw cause;
    }
  };
  const check = createCheck(deps, add, failed);
  return {
    begin: check.begin,
    changed: (userId) => void add(userId).catch(failed),
    ownerOf: (deviceId) => shown.owned.get(deviceId) ?? null,
    came(deviceId, owner) {
      if (shown.came(deviceId, owner) && !isTrusted) owners.get(owner)?.publishRetained(deviceId).catch(failed);
    },
    async publishRetained() {
      for (const owner of owners.values()) await owner.publishRetained();
    },
    end() {
      isOver = true;
      check.end();
      for (const userId of owners.keys()) drop(userId);
    },
  };
}
