import assert from "node:assert/strict";
import { TelexError } from "@telex/core";
import { streamOf } from "../support/streams.ts";
import { deliver, eventually, type GatewaySubject, inTime, send, start, text } from "./subject.ts";
import { type GatewayCase, defineGatewayCases } from "./gateway-case.ts";

const bytes = Buffer.from("not a picture");

const noPicture = {
  name: "a.png",
  mime: "image/png",
  size: bytes.length,
  md5: "0".repeat(32),
  url: () => Promise.resolve(null),
  open: () => Promise.resolve(streamOf(bytes)),
};

const isOnline = ({ gateway, account }: GatewaySubject): boolean => gateway.findAccount(account)?.isOnline === true;

/** Promises about accounts and the messages that they send. */
export const sendingCases: readonly GatewayCase[] = defineGatewayCases({
  "the account goes online after the start, and there is no other": async (subject) => {
    const { gateway, account } = subject;
    assert.notEqual(gateway.name, "");
    assert.notEqual(gateway.findAccount(account)?.isConnected, true, "the account is connected before the start");
    await start(subject);
    const match = gateway.findAccount(account);
    assert.equal(match?.account, account);
    assert.notEqual(match?.network, "");
    assert.equal(gateway.findAccount(`${account}-of-nobody`), null);
  },

  "the list of accounts shows each one as a lookup does": async (subject) => {
    const { gateway, account } = subject;
    await start(subject);
    assert.deepEqual(
      gateway.listAccounts().filter((listed) => listed.account === account),
      [gateway.findAccount(account)],
    );
    await subject.behave("offline");
    await eventually(
      () => gateway.listAccounts().some((listed) => listed.account === account && !listed.isOnline),
      "the account is listed as online",
    );
  },

  "a message reaches the network once, and is delivered": async (subject) => {
    await start(subject);
    await deliver(subject, "你好 👋");
    await deliver(subject, "again");
    assert.deepEqual(await subject.received(), ["你好 👋", "again"]);
  },

  "messages in order arrive in order": async (subject) => {
    await start(subject);
    const contents = Array.from({ length: 10 }, (_, index) => `message ${index}`);
    for (const content of contents) await deliver(subject, content);
    assert.deepEqual(await subject.received(), contents);
  },

  "begin is called before the network sees anything": async (subject) => {
    await start(subject);
    const seen: Promise<readonly string[]>[] = [];
    const attempt = send(subject, text("hello"), () => seen.push(subject.received()));
    await inTime(attempt.outcome, "send did not resolve");
    assert.ok(seen.length > 0, "begin was not called");
    assert.deepEqual(await seen[0], []);
  },

  "when begin throws, nothing is sent": async (subject) => {
    await start(subject);
    const attempt = send(subject, text("too late"), () => {
      throw new TelexError("bot_offline");
    });
    const outcome = await inTime(
      attempt.outcome.catch(() => ({ outcome: "offline" as const })),
      "send did not settle",
    );
    assert.equal(outcome.outcome, "offline");
    await deliver(subject, "in time");
    assert.deepEqual(await subject.received(), ["in time"]);
  },

  "an account that is signed out takes nothing": async (subject) => {
    await start(subject);
    await subject.behave("offline");
    await eventually(() => !isOnline(subject), "the account is shown as online");
    const attempt = send(subject, text("nobody there"));
    assert.deepEqual(await inTime(attempt.outcome, "send did not resolve"), { outcome: "offline" });
    await subject.behave("take");
    await eventually(() => isOnline(subject), "the account did not come back");
    await deliver(subject, "back");
    assert.deepEqual(await subject.received(), ["back"]);
  },

  "a refusal is reported with its reason": async (subject) => {
    await start(subject);
    await subject.behave("refuse");
    const refused = await inTime(send(subject, text("no")).outcome, "send did not resolve");
    assert.ok(refused.outcome === "refused", `the outcome is ${refused.outcome}`);
    assert.notEqual(refused.detail, "");
    assert.deepEqual(await subject.received(), []);
  },

  "without an answer the outcome is unknown, and nothing is sent again": async (subject) => {
    await start(subject);
    await subject.behave("silent");
    const attempt = send(subject, text("are you there?"));
    await eventually(async () => (await subject.received()).length > 0, "the network did not get the message");
    attempt.abort();
    const outcome = await inTime(attempt.outcome, "send did not settle after its signal");
    assert.equal(outcome.outcome, "unknown");
    await subject.behave("take");
    await deliver(subject, "next");
    assert.deepEqual(await subject.received(), ["are you there?", "next"]);
  },

  "a part that is not supported sends nothing": async (subject) => {
    await start(subject);
    const attempt = send(subject, [...text("look "), { kind: "image", file: noPicture }]);
    const { outcome } = await inTime(attempt.outcome, "send did not resolve");
    const received = await subject.received();
    if (outcome === "delivered") assert.equal(received.length > 0, true, "delivered, and not received");
    else assert.deepEqual([outcome, received], ["unsupported", []]);
  },
});
