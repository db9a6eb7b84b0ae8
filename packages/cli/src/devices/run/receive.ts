import type { DeviceMessageView } from "@telex/core";
import { type EventOutcome, type Follower, followChannel, type FollowState } from "@telex/ws/client";
import type { Server } from "../../client/server.ts";
import { connectSocket, socketFailure } from "../../client/sockets.ts";
import { callsTo, within } from "../../client/with-client.ts";
import { Failure } from "../../errors/errors.ts";
import { readManifest } from "../../manifest.ts";
import type { Talk } from "../../terminal/talk.ts";

/** A device whose texts this process receives. */
export interface ReceivingDevice {
  readonly server: Server;
  readonly deviceId: string;
  /** Null keeps the name of a registered device; a new one is named like its ID. */
  readonly name: string | null;
  /** Words for what the device can do, which its owner sees. */
  readonly can: readonly string[];
  readonly talk: Talk;
}

/** A text that has arrived. */
export interface Arrival {
  readonly text: DeviceMessageView;
  /** True once the life of the text has ended: it must not be used any more. */
  readonly isOver: () => boolean;
  /** Stores texts of the device. */
  readonly device: Pick<Follower<"teleprinter">, "callUntilDone">;
  /** Reports why the device cannot take texts, or that it can again (null). Does not wait, and never fails. */
  readonly report: (fault: string | null) => void;
}

/** Maximum characters of a fault that the server accepts. */
const longestFault = 200;

/** The token has ended, or the device belongs to another user, or is not registered: another connection would not help. */
const finalCodes: readonly number[] = [4401, 4403, 4404];

/** Registers the device if it is new. */
async function appear({ server, deviceId, name }: ReceivingDevice): Promise<void> {
  const call = callsTo(server);
  try {
    if (name === null) return void (await call(({ teleprinter }) => teleprinter.heartbeat({ deviceId }, within())));
  } catch (error) {
    if (!(error instanceof Failure && error.error === "device_not_found")) throw error;
  }
  await call(({ teleprinter }) => teleprinter.register({ deviceId, name: name ?? deviceId }, within()));
}

/** Reports when the connection is lost, and when it is restored. */
function createNews({ talk, deviceId, server }: ReceivingDevice): (state: FollowState) => void {
  let isLost = false;
  return (state) => {
    if (state.kind === "open") {
      if (isLost) talk.done(`${deviceId} is connected again.`);
      isLost = false;
    } else if (state.kind === "waiting" && !isLost) {
      isLost = true;
      const failure = socketFailure(state.cause);
      const reason = failure instanceof Error ? failure.message : String(failure);
      talk.warn(`${deviceId} has no connection to ${server.url}, and tries again. ${reason}`);
    }
  };
}

/** Reports the state of the device to the server: all of it on each new connection, and then each new fault. */
function createReports({ talk, deviceId, can }: ReceivingDevice, device: () => Follower<"teleprinter">) {
  const program = `telex ${readManifest().version}`;
  let fault: string | null = null;
  return {
    whole: () => ({ transport: "ws", program, can: [...can], fault }),
    report: (next: string | null): void => {
      const shown = next?.replaceAll("\0", "").slice(0, longestFault).toWellFormed() ?? null;
      if (shown === fault) return;
      fault = shown;
      device()
        .call("heartbeat", { fault })
        .catch(() => talk.detail(`The fault of ${deviceId} could not be reported.`));
    },
  };
}

/** Takes the device offline. A failure is not an error: the device goes offline after a while anyway. */
async function leave({ server, deviceId, talk }: ReceivingDevice): Promise<void> {
  try {
    await callsTo(server)(({ teleprinter }) => teleprinter.offline({ deviceId }, within(2000)));
  } catch {
    talk.detail(`${deviceId} could not be set offline.`);
  }
}

/**
 * Takes the texts of a device one after another, until `stop` aborts, and reconnects while that can help. A text is acknowledged when `use`
 * has resolved, and given up if it resolves with `failed` or the text expires before its turn. If the process ends earlier, the text comes
 * again. If `use` rejects after `stop`, its text waits for the next run.
 * @throws Failure if the server rejects the device or its token
 */
export async function receiveTexts(
  receiving: ReceivingDevice,
  use: (arrival: Arrival) => Promise<EventOutcome>,
  stop: AbortSignal,
): Promise<void> {
  const { server, deviceId, talk } = receiving;
  await appear(receiving);
  talk.done(`${deviceId} is online at ${server.url}. Ctrl-C ends.`);
  const { report, whole } = createReports(receiving, () => device);
  const device: Follower<"teleprinter"> = followChannel({
    ...server,
    channel: "teleprinter",
    query: { deviceId, order: "priority" },
    connect: connectSocket,
    signal: stop,
    isFinal: (code) => finalCodes.includes(code),
    async onEvent({ type, data }, arrivedAt) {
      if (type !== "TeleprinterMessage") return;
      const end = data.life === undefined ? Number.POSITIVE_INFINITY : arrivedAt + data.life * 1000;
      const isOver = (): boolean => Date.now() >= end;
      return isOver() ? "failed" : await use({ text: data, isOver, device, report });
    },
    async onOpen(connection) {
      await connection.call("heartbeat", whole());
    },
    onState: createNews(receiving),
  });
  const end = await device.ended;
  if (!stop.aborted) throw end.cause ?? socketFailure(end);
  await leave(receiving);
}
