import type { DeviceView } from "@telex/core";
import { type ReadonlySignal, signal } from "@preact/signals";
import type { Server } from "../../server/server.ts";

/** The devices of the user. Owns their list. Methods throw the errors of the server. */
export interface Devices {
  /** Online devices first, then by name. Null until the list is loaded. */
  readonly list: ReadonlySignal<readonly DeviceView[] | null>;
  readonly find: (deviceId: string) => DeviceView | undefined;
  readonly load: () => Promise<void>;
  /** Adds or replaces a device from an event. */
  readonly receive: (device: DeviceView) => void;
  readonly register: (deviceId: string, name: string) => Promise<void>;
  readonly rename: (deviceId: string, name: string) => Promise<void>;
  readonly tag: (deviceId: string, tags: readonly string[]) => Promise<void>;
  /** Makes a device print a room, or none. */
  readonly setRoom: (device: DeviceView, room: DeviceView["room"] | null) => Promise<void>;
  readonly unregister: (deviceId: string) => Promise<void>;
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
/** The order ignores when a device was last seen, so that devices do not move while a person looks at them. */
const inOrder = (a: DeviceView, b: DeviceView): number =>
  Number(b.online) - Number(a.online) || collator.compare(a.name, b.name) || collator.compare(a.deviceId, b.deviceId);

/** Inserts or replaces a device in the list. Sorting a long list again for each change would be slow. */
function insert(list: readonly DeviceView[], device: DeviceView): readonly DeviceView[] {
  const index = list.findIndex(({ deviceId }) => deviceId === device.deviceId);
  const old = list[index];
  if (old?.name === device.name && old.online === device.online) return list.with(index, device);
  const others = list.filter((_, position) => position !== index);
  const next = others.findIndex((other) => inOrder(device, other) < 0);
  return others.toSpliced(next === -1 ? others.length : next, 0, device);
}

/** The loaded list, with the changes of devices that arrived during the load. */
function createList(fetchDevices: Server["teleprinter"]["devices"]) {
  const list = signal<readonly DeviceView[] | null>(null);
  /** Devices that arrived during the load. They are newer than the list. */
  const early = new Map<string, DeviceView>();
  let loads = 0;
  const receive = (device: DeviceView): void => {
    early.set(device.deviceId, device);
    if (list.value !== null) list.value = insert(list.value, device);
  };
  const load = async (): Promise<void> => {
    early.clear();
    const request = (loads += 1);
    const devices = await fetchDevices();
    if (request !== loads && list.value !== null) return;
    const all = new Map([...devices.map((device) => [device.deviceId, device] as const), ...early]);
    list.value = [...all.values()].toSorted(inOrder);
  };
  return { list, receive, load };
}

type List = ReturnType<typeof createList>;

type DeviceServer = Pick<Server["teleprinter"], "devices" | "register" | "rename" | "offline" | "unregister">;

/** Registers a device again, with its changes. */
const createChange =
  (server: DeviceServer, { list, receive }: List) =>
  async (input: Parameters<typeof server.register>[0]): Promise<void> => {
    const wasOnline = list.value?.some(({ deviceId, online }) => deviceId === input.deviceId && online) ?? false;
    receive(await server.register(input));
    // Registering marks the device as online, but this page only changed its settings.
    if (!wasOnline) receive(await server.offline({ deviceId: input.deviceId }));
  };

export function createDevices(server: DeviceServer): Devices {
  const devices = createList(server.devices);
  const { list, receive } = devices;
  const change = createChange(server, devices);
  return {
    ...devices,
    find: (deviceId) => list.value?.find((device) => device.deviceId === deviceId),
    register: async (deviceId, name) => receive(await server.register({ deviceId, name })),
    rename: async (deviceId, name) => receive(await server.rename({ deviceId, name })),
    tag: async (deviceId, tags) => receive(await server.rename({ deviceId, tags: [...tags] })),
    setRoom: ({ deviceId, name }, room) => change({ deviceId, name, room: room ?? null }),
    async unregister(deviceId) {
      await server.unregister({ deviceId });
      list.value = (list.value ?? []).filter((device) => device.deviceId !== deviceId);
    },
  };
}
