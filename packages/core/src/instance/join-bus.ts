import type { Logger } from "@telex/ground/log";
import { topics } from "../bus/topics.ts";
import type { createCapabilities } from "./capabilities.ts";
import type { Shared } from "./shared.ts";

type Receivers = Pick<ReturnType<typeof createCapabilities>, "messages" | "teleprinter" | "gateways" | "drains">;

export async function joinBus(
  { bus, rates, leases, roomPresence, remoteReplies, accountQuestions, endToken }: Shared,
  { messages, teleprinter, gateways, drains }: Receivers,
  log: Logger,
): Promise<void> {
  await bus.join({
    message({ record, sent = null }) {
      messages
        .receive(record, gateways.originOf(sent))
        .catch((cause: unknown) => log.error("bus.receive_failed", {}, cause));
    },
    device_text: ({ owner, event }) => teleprinter.heard.text(owner, event),
    device_presence: ({ device }) => teleprinter.heard.presence(device),
    device_wake: ({ deviceId, ends = false }) => teleprinter.heard.wake(deviceId, ends),
    room_presence: roomPresence.heard.change,
    room_presence_state: roomPresence.heard.state,
    room_presence_ask: roomPresence.heard.ask,
    reply_ask: remoteReplies.heard.ask,
    reply_part: remoteReplies.heard.part,
    account_ask: accountQuestions.heard.ask,
    account_answer: accountQuestions.heard.answer,
    send_wake: ({ account, groupId }) => gateways.heard.wake({ account, groupId }),
    send_done: ({ id }) => gateways.heard.done(id),
    rates_used: ({ uses }) => rates.heard(uses),
    drain: (event) => drains.heard.drain(event),
    drain_begun: (event) => drains.heard.begun(event),
    token_ended: ({ tokenId }) => endToken(tokenId),
  });
  await bus.follow(topics.server(leases.holder)).ready;
}
