import type { DeviceMessageView, DeviceView, Telex, TokenHolder } from "@telex/core";
import type { LiveConnection, LiveEvent } from "@telex/core/transport";
import type { Out } from "../io/out.ts";
import { configsOf, type Discovery } from "../topics/discovery.ts";
import type { Login } from "../topics/access.ts";
import { matches, topicOf } from "../topics/topics.ts";

/** Publishes states, texts and Home Assistant configurations of devices to a connection. */
export interface Watching {
  /** Publishes events that match a filter. True if the filter is new. */
  readonly listen: (filter: string) => boolean;
  /** Publishes the retained messages that match a filter. */
  readonly publishRetained: (filter: string) => Promise<void>;
  readonly unsubscribe: (filter: string) => void;
  /** Receives the events of the devices of this user. */
  readonly write: (events: readonly LiveEvent[]) => void;
  /** Call it when a device was unregistered or paired again. Removes a device from Home Assistant that no longer belongs to this user. */
  readonly deviceRaised: (deviceId: string) => void;
  readonly stop: () => void;
}

interface WatchingDeps {
  readonly telex: Telex;
  readonly live: LiveConnection;
  readonly out: Pick<Out, "version" | "send">;
  readonly login: Login;
  /** Null without discovery. */
  readonly discovery: Discovery | null;
}

interface Publication {
  readonly topic: string;
  readonly payload: string;
  readonly userProperties?: Readonly<Record<string, string>>;
}

const stateOf = ({ deviceId, online }: DeviceView): Publication => ({
  topic: topicOf(deviceId, "status"),
  payload: online ? "online" : "offline",
});

const textOf = ({ deviceId, content, id, createdAt }: DeviceMessageView): Publication => ({
  topic: topicOf(deviceId, "from"),
  payload: content,
  userProperties: { id: String(id), createdAt },
});

/** A token for all devices of a user may list them here, although listing them over HTTP requires `chat`. */
const asLister = (holder: TokenHolder): TokenHolder => ({ ...holder, scopes: [...holder.scopes, "chat"] });

async function listDevices({ telex, login }: WatchingDeps): Promise<readonly DeviceView[]> {
  if (login.as === "owner") return telex.teleprinter.devices(asLister(login.holder), {});
  const all = await telex.teleprinter.devices(asLister(login.holder), {});
  return all.filter(({ deviceId }) => deviceId === login.deviceId);
}

/** The Home Assistant configurations that this connection has published. A change of presence does not publish them again. */
function createConfigs(deps: WatchingDeps, send: (publication: Publication) => void) {
  const { telex, discovery } = deps;
  const names = new Map<string, string>();
  const note = ({ deviceId, name }: DeviceView): void => void names.set(deviceId, name);
  /** Removes a configuration with an empty message. */
  const takeBack = async (deviceId: string): Promise<void> => {
    if (discovery === null || !names.has(deviceId)) return;
    if ((await listDevices(deps)).some((device) => device.deviceId === deviceId)) return;
    names.delete(deviceId);
    for (const { topic } of configsOf(discovery, { deviceId, name: "" })) send({ topic, payload: "" });
  };
  return {
    note,
    show(device: DeviceView): void {
      if (discovery === null || names.get(device.deviceId) === device.name) return;
      note(device);
      for (const config of configsOf(discovery, device)) send(config);
    },
    check(deviceId: string): void {
      takeBack(deviceId).catch((cause: unknown) => telex.log.error("mqtt.discovery_failed", { deviceId }, cause));
    },
  };
}

export function createWatching(deps: WatchingDeps): Watching {
  const { telex, out, login, discovery, live } = deps;
  const filters = new Set<string>();
  let stop: (() => void) | null = null;
  const publish = ({ topic, payload, userProperties }: Publication, retain: boolean): void =>
    out.send({
      cmd: "publish",
      topic,
      payload,
      qos: 0,
      dup: false,
      retain,
      ...(out.version === 5 && userProperties !== undefined && { properties: { userProperties } }),
    });
  const isWanted = ({ topic }: Publication): boolean => [...filters].some((filter) => matches(filter, topic));
  const send = (publication: Publication): void => {
    if (isWanted(publication)) publish(publication, false);
  };
  const configs = createConfigs(deps, send);
  const hear = (event: LiveEvent): void => {
    if (event.kind === "device_presence") {
      configs.show(event.data);
      send(stateOf(event.data));
    } else if (event.kind === "device_message" && event.data.direction === "from_device") send(textOf(event.data));
  };
  const isOwn = ({ kind, data }: LiveEvent): boolean =>
    login.as === "owner" || (kind === "device_presence" && data.deviceId === login.deviceId);
  const retained = (device: DeviceView): readonly Publication[] => [
    ...(discovery === null || login.as === "device" ? [] : configsOf(discovery, device)),
    stateOf(device),
  ];
  return {
    listen(filter) {
      const isNew = !filters.has(filter);
      filters.add(filter);
      stop ??= telex.watchDevices(live);
      return isNew;
    },
    async publishRetained(filter) {
      for (const device of await listDevices(deps)) {
        configs.note(device);
        for (const one of retained(device)) if (matches(filter, one.topic)) publish(one, true);
      }
    },
    unsubscribe: (filter) => void filters.delete(filter),
    write(events) {
      for (const event of events) if (isOwn(event)) hear(event);
    },
    deviceRaised: (deviceId) => configs.check(deviceId),
    stop: () => stop?.(),
  };
}
