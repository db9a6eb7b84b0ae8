import assert from "node:assert/strict";
import { type IncomingReceipt, TelexError } from "@telex/core";
import { deliver, eventually, start, wordsOf } from "./subject.ts";
import { createInbox } from "./inbox.ts";
import { type GatewayCase, defineGatewayCases } from "./gateway-case.ts";

/** Promises about the messages that a gateway receives. */
export const receivingCases: readonly GatewayCase[] = defineGatewayCases({
  "a message of a person reaches the inbox": async (subject) => {
    const { inbox, messages, malformed } = createInbox();
    await start(subject, inbox);
    const before = Date.now();
    await subject.say("茶 is ready");
    await eventually(() => messages.length + malformed.length > 0, "the inbox got nothing");
    assert.deepEqual(malformed, []);
    const [message] = messages;
    assert.equal(message === undefined ? "" : wordsOf(message), "茶 is ready");
    assert.equal(message?.account, subject.account);
    assert.deepEqual(message?.room, subject.room);
    assert.equal(message?.isOwn, false);
    const hour = 3_600_000;
    assert.ok(Math.abs((message?.createTime ?? 0) - before) < hour, "the time is not in Unix milliseconds");
  },

  "the same message has the same id, another one another": async (subject) => {
    const { inbox, messages } = createInbox();
    await start(subject, inbox);
    await subject.say("one");
    await subject.repeat();
    await subject.say("one");
    await eventually(() => messages.length >= 3, "the inbox did not get three messages");
    const [first, again, other] = messages.map(({ messageId }) => messageId);
    assert.equal(again, first);
    assert.notEqual(other, first);
  },

  "an echo is known by an id that send has answered": async (subject) => {
    const { inbox, messages } = createInbox();
    await start(subject, inbox);
    await subject.behave("echo");
    const ids = await deliver(subject, "my own words");
    await eventually(() => messages.length > 0, "the echo did not reach the inbox");
    const [echo] = messages;
    assert.equal(echo?.isOwn, true);
    const known = [echo?.messageId ?? "", ...(echo?.otherIds ?? [])];
    assert.ok(
      known.some((id) => ids.includes(id)),
      `${known.join(", ")} is none of ${ids.join(", ")}`,
    );
  },

  "an inbox that takes its time does not hold up the answer to a message": async (subject) => {
    const { promise } = Promise.withResolvers<IncomingReceipt>();
    await start(subject, createInbox(() => promise).inbox);
    await subject.behave("echo");
    await deliver(subject, "hello");
  },

  "what the inbox refuses ends nothing": async (subject) => {
    const { inbox, messages } = createInbox(() => Promise.reject(new TelexError("storage_unavailable")));
    await start(subject, inbox);
    await subject.say("first");
    await eventually(() => messages.some((message) => wordsOf(message) === "first"), "the inbox got nothing");
    await subject.say("second");
    await eventually(() => messages.some((message) => wordsOf(message) === "second"), "the gateway has stopped");
    await deliver(subject, "still here");
  },
});
