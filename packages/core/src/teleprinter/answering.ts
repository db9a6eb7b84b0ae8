import { interfaceLimits } from "@telex/ground/contract";
import {
  type AnswerRequest,
  type AnswersDeps,
  createAnswers,
  promptOf,
  questionAbout,
  type Said,
} from "../ai/answers.ts";
import type { ToolAnswers } from "../ai/model.ts";
import type { DeviceKey, TeleprinterStore } from "./store.ts";
import type { DeviceMessageRecord, DeviceRecord } from "../records/teleprinter.ts";

export interface AnsweringDeps extends AnswersDeps {
  readonly store: Pick<TeleprinterStore, "page">;
  readonly toolAnswers: ToolAnswers;
  /** Queues one message for a device. `room`: it answers a message of a room, or may repeat one. */
  readonly send: (key: DeviceKey, content: string, room: boolean) => Promise<unknown>;
}

/** The last texts of a device that a model gets. */
const messagesShown = 40;

const roleOf = ({ direction }: DeviceMessageRecord): Said["role"] =>
  direction === "from_device" ? "user" : "assistant";

/** The texts up to one of the device, which comes last. */
async function listen(
  { store }: AnsweringDeps,
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

const yes = /^(?:yes|y|ok|好|好的|是|可以)[.!。！]?$/iu;
const no = /^(?:no|n|不|不要|不行|否)[.!。！]?$/iu;

/** Answers the texts of devices, under the quota of their owners. Answers are queued one after another. */
export function createAnswering(deps: AnsweringDeps): (device: DeviceRecord, content: string) => void {
  const answer = createAnswers(deps, interfaceLimits.deviceText);
  return ({ deviceId, owner, ai, roomId }, content) => {
    if (ai === null) return;
    const key = { deviceId, owner };
    // A reply to a user who may not read the room must not repeat it.
    const isOfRoom = roomId !== null;
    const [word, callId] = [content.trim(), `device:${deviceId}`];
    const request: AnswerRequest = {
      place: deviceId,
      asker: owner,
      model: ai,
      listen: async (chosen) => promptOf(await listen(deps, { ...key, withoutRooms: !isOfRoom }, content), chosen),
      send: (message) => deps.send(key, message, isOfRoom),
      hands: {
        place: "device",
        ask: (use) => deps.send(key, questionAbout(use), isOfRoom),
        answersTo: callId,
      },
    };
    // Any other text refuses the call, and is a question of its own.
    const [allow, here] = [yes.test(word), !yes.test(word) && !no.test(word)];
    const take = async (): Promise<void> => {
      const isTaken = await deps.toolAnswers.answer({ userId: owner, callId, allow, here }).catch(() => false);
      if (!isTaken || here) answer(request);
    };
    void take();
  };
}
