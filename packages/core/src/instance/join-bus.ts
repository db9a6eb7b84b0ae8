import type { Logger } from "@telex/ground/log";
import { topics } from "@telex/ground/bus";
import type { createCapabilities } from "./capabilities.ts";
import type { Shared } from "./shared.ts";

export async function joinBus(
  { bus, rates, leases, roomPresence, remoteReplies, accountQuestions, catchUp, endToken }: Shared,
  { messages, teleprinter, gateways, drains, rooms }: ReturnType<typeof createCapabilities>,
  log: Logger,
): Promise<void> {
  const watch = (work: Promise<void>): void =>
    void work.catch((cause: unknown) => log.error("bus.receive_failed", {}, cause));
  await bus.join({
    message: ({ record, sent = null }) => watch(messages.receive(record, gateways.originOf(sent))),
    device_text: ({ owner, event }) => teleprinter.heard.text(owner, event),
    device_presence: ({ device }) => teleprinter.heard.presence(device),
    device_wake: ({ deviceId, ends = false }) => teleprinter.heard.wake(deviceId, ends),
    room_presence: roomPresence.heard.change,
    room_presence_state: roomPresence.heard.state,
    room_presence_ask: roomPresence.heard.ask,
    room_told: (event) => watch(rooms.news.heard.told(event)),
    reply_ask: remoteReplies.heard.ask,
    reply_part: remoteReplies.heard.part,
    account_ask: accountQuestions.heard.ask,
    account_answer: accountQuestions.heard.answer,
    send_wake: ({ account, groupId }) => gateways.heard.wake({ account, groupId }),
    send_done: ({ id }) => gateways.heard.done(id),
    rates_used: ({ uses }) => rates.heard(uses),
    drain: (event) => drains.heard.drain(event),
    drain_begun: (event) => drains.heard.begun(event),
    changes_ask: (event) => watch(catchUp.heard.ask(event)),
    changes_seen: (event) => catchUp.heard.seen(event),
    token_ended: ({ tokenId }) => endToken(tokenId),
  });
  await bus.follow(topics.server(leases.holder)).ready;
  roomPresence.tick();
}
