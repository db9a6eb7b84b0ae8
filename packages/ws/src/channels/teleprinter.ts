import { type Telex, TelexError } from "@telex/core";
import { connectionCommands } from "@telex/core/contract";
import { type DeviceConnection, type DeviceFeed, parseInput } from "@telex/core/transport";
import type { Channel, ChannelConnection, Command, CommandCall, OpenChannel } from "./channel.ts";
import { commandsOf, describeChannel, withFields } from "./derive.ts";
import { failure } from "../frames/failures.ts";
import { noIdentifier } from "../frames/frames.ts";

/** Minimum milliseconds between signs of life that are passed on. */
const signInterval = 1000;

/** The feed of a device; null if the device was rejected. */
type Opening = Promise<DeviceFeed | null>;

/** The commands of a device: the operations of the table for the device of this connection, and `ack`. */
function deviceCommands(deviceId: string, opening: Opening): ReadonlyMap<string, Command> {
  const runs = {
    async ack({ fields }: CommandCall) {
      const { id, ids = [], failed } = parseInput(connectionCommands.teleprinter.ack, fields);
      await (await opening)?.acknowledge(id === undefined ? ids : [id, ...ids], failed);
      return null;
    },
  };
  return commandsOf("teleprinter", runs, (run) => (call) => run(withFields(call, { deviceId })));
}

/** Reports why a device cannot connect, and closes the connection. */
function refuse({ telex, live, locale, send }: ChannelConnection, cause: unknown): null {
  const error = TelexError.from(cause);
  if (error.code === "internal") telex.log.error("device.connect_failed", { incident: error.incident }, error.cause);
  send(failure(error, noIdentifier, locale));
  if (error.code === "device_not_found") live.close("unregistered");
  else live.close(error.code === "not_owner" ? "not_owner" : "too_slow");
  return null;
}

function createSigns(telex: Telex, live: DeviceConnection, deviceId: string): () => void {
  let last = telex.clock.now();
  return () => {
    const now = telex.clock.now();
    if (now - last < signInterval) return;
    last = now;
    telex.teleprinter.heartbeat(live.holder, { deviceId }).catch((cause: unknown) => {
      const error = TelexError.from(cause);
      if (error.code === "internal") telex.log.error("device.sign_failed", { incident: error.incident }, error.cause);
    });
  };
}

const feedOptionsOf = (query: ChannelConnection["query"]) => ({
  ack: query.get("ack") === "1",
  ...(query.get("order") === "priority" && ({ order: "priority" } as const)),
});

/** The connection of a device: waiting texts are pushed first, then new ones. */
function openDevice(connection: ChannelConnection, deviceId: string): OpenChannel {
  const { telex, live, query } = connection;
  const opening: Opening = telex
    .connectDevice(live, { deviceId, ...feedOptionsOf(query) })
    .catch((cause: unknown) => refuse(connection, cause));
  return {
    commands: deviceCommands(deviceId, opening),
    alive: createSigns(telex, live, deviceId),
    stop() {
      void opening
        .then((feed) => feed?.close())
        .catch((cause: unknown) => telex.log.error("device.requeue_failed", { deviceId }, cause));
    },
  };
}

const nothingToAsk: ReadonlyMap<string, Command> = new Map();

/**
 * The socket of the teleprinter. With `deviceId` it is a device, to which texts are pushed. Without it, it is a page, which
 * receives all events of its user's devices.
 */
export const teleprinterChannel: Channel = {
  ...describeChannel("teleprinter"),
  open(connection) {
    const deviceId = connection.query.get("deviceId");
    if (deviceId !== null) return openDevice(connection, deviceId);
    return { commands: nothingToAsk, stop: connection.telex.watchDevices(connection.live) };
  },
};
