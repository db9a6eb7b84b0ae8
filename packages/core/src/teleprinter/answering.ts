import { interfaceLimits } from "@telex/ground/contract";
import { type AnswersDependencies, createAnswers, promptOf, type Said } from "../ai/answers.ts";
import type { DeviceKey, TeleprinterStore } from "./store.ts";
import type { DeviceMessageRecord, DeviceRecord } from "../records/teleprinter.ts";

export interface AnsweringDependencies extends AnswersDependencies {
  readonly store: Pick<TeleprinterStore, "page">;
  /** Queues one message for a device. `room`: it answers a message of a room, or may repeat one. */
  readonly send: (key: DeviceKey, content: string, room: boolean) => Promise<unknown>;
}

/** The last texts of a device that a model gets. */
const messagesShown = 40;

const roleOf = ({ direction }: DeviceMessageRecord): Said["role"] =>
  direction === "from_device" ? "user" : "assistant";

/** The texts up to one of the device, which comes last. */
async function listen(
  { store }: AnsweringDependencies,
  key: DeviceKey & { readonly withoutRooms: boolean },
  content: string,
): Promise<Said[]> {
  const page = await store.page({ ...key, before: null, limit: messagesShown });
  const messages = page.outcome === "page" ? page.messages.toReversed() : [];
  const last = messages.findLastIndex((message) => roleOf(message) === "user" && message.content === content);
  const before = messages
    .slice(0, Math.max(0, last))
    .map((message) => ({ role: roleOf(message), content: message.content }));
  return [...before, { role: "user", content }];
}

/** Answers the texts of devices, under the quota of their owners. Answers are queued one after another. */
export function createAnswering(deps: AnsweringDependencies): (device: DeviceRecord, content: string) => void {
  const answer = createAnswers(deps, interfaceLimits.deviceText);
  return ({ deviceId, owner, ai, roomId }, content) => {
    if (ai === null) return;
    const key = { deviceId, owner };
    // A reply to a user who may not read the room must not repeat it.
    const isOfRoom = roomId !== null;
    answer({
      place: deviceId,
      asker: owner,
      model: ai,
      listen: async (chosen) => promptOf(await listen(deps, { ...key, withoutRooms: !isOfRoom }, content), chosen),
      send: (message) => deps.send(key, message, isOfRoom),
    });
  };
}
