import { createMemoryBlobs } from "@telex/blobs/memory";
import { intercept } from "@telex/conformance";
import { createManualClock, type ManualClock, ticks } from "@telex/conformance/testing";
import {
  type Bus,
  createLocalBus,
  createTelex,
  operator,
  type Storage,
  type Telex,
  type TokenHolder,
} from "@telex/core";
import { type DeviceFeed, type LiveEvent, nextTick } from "@telex/core/transport";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createMemoryStorage } from "@telex/storage-memory";
import { createMqtt } from "../src/index.ts";

/** A server with MQTT on its own port. */
export interface Server {
  readonly telex: Telex;
  readonly port: number;
  /** Cuts the server off from the storage, the bus and its clients, as a kill does. */
  kill(): void;
  /** Closes it, unless it was killed. Its connections have ended before. */
  close(): Promise<void>;
}

interface Shared {
  /** Calls the storage for a server until it is killed. */
  readonly begin: (telex: Telex) => { readonly close: () => Promise<void> };
  readonly storage: Storage;
  readonly bus: Bus;
  readonly clock: ManualClock;
}

const images = createSharpEngine();
const never = new Promise<never>(() => {});

async function startServer({ storage, bus, clock, begin }: Shared): Promise<Server> {
  let isAlive = true;
  const own = intercept(storage, async ({ run }) => {
    const result = isAlive ? await run() : await never;
    // A kill may come between a change and its response.
    await nextTick();
    return isAlive ? result : never;
  });
  const gated: Bus = {
    async join(receive) {
      const member = await bus.join((event) => void (isAlive && receive(event)));
      return { ...member, publish: (event) => void (isAlive && member.publish(event)) };
    },
  };
  const parts = { blobs: createMemoryBlobs({ clock }), images, clock, bus: gated };
  const telex = await createTelex({ ...parts, storage: { ...storage, ...own, close: () => Promise.resolve() } });
  const mqtt = createMqtt(telex);
  const work = begin(telex);
  const port = await mqtt.listen({ host: "127.0.0.1", port: 0 });
  return {
    telex,
    port,
    async close() {
      if (!isAlive) return;
      await Promise.all([mqtt.close(), work.close()]);
      await telex.close();
    },
    kill() {
      isAlive = false;
      // Closing ends its connections, and waits for a storage that never responds.
      void mqtt.close(clock.now());
    },
  };
}

export const deviceId = "kitchen";

/** Two servers of an installation, with a device and a token for it. */
export async function createInstallation(begin: Shared["begin"] = () => ({ close: () => Promise.resolve() })) {
  const clock = createManualClock();
  const shared = { begin, clock, storage: createMemoryStorage({ clock }), bus: createLocalBus() };
  const start = (): Promise<Server> => startServer(shared);
  const [a, b] = [await start(), await start()];
  await a.telex.operator.users.add(operator, { nickname: "Ada" });
  const { token } = await a.telex.operator.tokens.issue(operator, { userId: 1, scopes: ["chat"], life: null });
  const caller = await a.telex.authenticate(token);
  if (caller.kind !== "token") throw new Error("The token has ended.");
  await a.telex.teleprinter.register(caller, { deviceId, name: "Kitchen" });
  return { clock, a, b, token, caller, start, pass: (seconds: number) => pass(clock, seconds) };
}

/** Lets time pass second by second, so that the storage responds before the next timer. */
async function pass(clock: ManualClock, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    await ticks(3);
    await clock.advance(1000);
  }
  await ticks(3);
}

/** A text for a device. */
export interface Text {
  readonly id: number;
  readonly content: string;
}

/** A connection of the device to core, like that of a WebSocket. */
export interface DeviceSocket {
  readonly feed: DeviceFeed | null;
  /** Texts that the device has not read. */
  readonly inbox: Text[];
  isOpen: boolean;
}

/** Opens a connection of the device that answers pings while it is open. */
export async function openSocket({ telex }: Server, holder: TokenHolder, ack: boolean): Promise<DeviceSocket> {
  const socket: { -readonly [Key in keyof DeviceSocket]: DeviceSocket[Key] } = { feed: null, inbox: [], isOpen: true };
  const push = (events: readonly LiveEvent[]): Promise<boolean> => {
    if (!socket.isOpen) return Promise.resolve(false);
    for (const { kind, data } of events) if (kind === "device_message") socket.inbox.push(data);
    return Promise.resolve(true);
  };
  const connection = {
    holder,
    push,
    write: () => undefined,
    ping: () => Promise.resolve(socket.isOpen),
    close: () => void (socket.isOpen = false),
  };
  socket.feed = await telex.connectDevice(connection, { deviceId, ack });
  return socket;
}
