import assert from "node:assert/strict";
import type { MessageStore } from "@telex/core/storage";
import { expectOutcome } from "../support/expect.ts";
import { claimOf, nonceLife, now } from "../support/fixtures.ts";

export const room = 11;
export const nonce = { value: "n", fingerprint: "f", life: nonceLife };
/** The same nonce with another content. */
export const conflicting = { ...nonce, fingerprint: "g" };
export const network = { account: "bot-1", messageIds: ["m-1"] };
export const later = now + 10 * nonceLife;

const key = (id: string) => ({ account: "bot-1", id });
export const start = (store: MessageStore, id: string, at = now) =>
  store.startSend({ ...key(id), now: at, until: later });
export const sent = (id: string, isPart = false) => ({ ...key(id), isPart });
/** Ends a message that the network does not have. */
export const fail = (store: MessageStore, id: string, from: "waiting" | "started", reason = "no") =>
  store.finishSend({ ...key(id), outcome: "failed", from, reason, until: later });
export const lose = (store: MessageStore, id: string) =>
  store.finishSend({ ...key(id), outcome: "unknown", from: "started" });

export const find = async (store: MessageStore, id: string, at = now) =>
  (await store.listSends({ ids: [id], now: at }))[0] ?? null;

/** The id of the next message of a room. */
export const next = async (store: MessageStore, at = now, groupId = room) =>
  (await store.findNextSend({ account: "bot-1", groupId, now: at }))?.id ?? null;

/** The ids of the messages that have started. */
export const startedIds = async (store: MessageStore, account = "bot-1", groupId = room, at = now) =>
  (await store.listStartedSends({ account, groupId, now: at })).map(({ id }) => id);

/** The result of a claim whose nonce this message of the outbox has. */
export const inOutbox = (outcome: "waiting" | "started" | "unknown" | "partly", id: string) => ({
  outcome,
  first: key(id),
});

/** Puts a message into the outbox. */
export async function claim(store: MessageStore, ...given: Parameters<typeof claimOf>): Promise<void> {
  expectOutcome(await store.claimSend(claimOf(...given)), "claimed");
}

/** Puts a message into the outbox, and starts to send it. */
export async function send(store: MessageStore, ...given: Parameters<typeof claimOf>): Promise<void> {
  await claim(store, ...given);
  assert.equal(await start(store, given[0]), true);
}
