import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { eventually, inTime, pause, send, start, text } from "./subject.ts";
import { createInbox } from "./inbox.ts";
import { type GatewayCase, defineGatewayCases } from "./gateway-case.ts";

/** Promises about the end of a gateway. */
export const closingCases: readonly GatewayCase[] = defineGatewayCases({
  "it closes while a message has no answer": async (subject) => {
    await start(subject);
    await subject.behave("silent");
    const attempt = send(subject, text("hello"));
    await eventually(async () => (await subject.received()).length > 0, "the network did not get the message");
    attempt.abort();
    await inTime(subject.gateway.close(), "close did not resolve");
  },

  "after it has closed nothing is received or sent": async (subject) => {
    const { inbox, messages } = createInbox();
    await start(subject, inbox);
    await inTime(subject.gateway.close(), "close did not resolve");
    assert.notEqual(subject.gateway.findAccount(subject.account)?.isConnected, true);
    await subject.say("anybody?").catch(() => undefined);
    await delay(pause);
    assert.deepEqual(messages, []);
    const outcome = await inTime(send(subject, text("hello")).outcome, "send did not settle");
    assert.deepEqual([outcome, await subject.received()], [{ outcome: "offline" }, []]);
  },
});
