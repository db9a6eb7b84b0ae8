import assert from "node:assert/strict";
import type { AiStore, Turn } from "@telex/core/storage";
import { justToday, request } from "./kit.ts";
import { defineCases, type StorageCase } from "../support/case.ts";
import { now } from "../support/fixtures.ts";

const user = 7;
const used = { replies: 0, tokens: 40, started: 1 };
const end = now + 60_000;

/** A turn of a new conversation. */
async function turnIn(ai: AiStore): Promise<Turn> {
  const begun = { userId: user, title: "t", status: 0, defaultModel: "m", lastMessage: now, totalToken: 0 } as const;
  const { id: conversationId } = await ai.appendConversation(begun);
  const answered = { question: "问", answer: "答 \u{1F4AC}", finishReason: "failed", uses: "[1]", tokens: 40 };
  return { conversationId, userId: user, model: "m", ...answered, askedAt: now, answeredAt: now + 5 };
}

/** A turn whose share is reserved, stored as far as it is. */
async function beginTurn(ai: AiStore): Promise<{ turn: Turn; touch: Parameters<AiStore["touchReservation"]>[0] }> {
  const turn = await turnIn(ai);
  const touch = { reservationId: "a", expiresAt: end, soFar: { used, turn } };
  await ai.reserve(request("a"));
  await ai.touchReservation(touch);
  return { turn, touch };
}

/** Fails unless the turn and what it used are kept once. */
async function expectKept(ai: AiStore, turn: Turn): Promise<void> {
  assert.deepEqual(await keptOf(ai, turn), [keptTurn(turn), 40]);
  assert.deepEqual(await ai.sumUsage(user, justToday), used);
}

/** The stored messages of the conversation of a turn, the newest first, and its tokens. */
async function keptOf(ai: AiStore, { conversationId, userId }: Turn) {
  const page = await ai.pageTurns({ conversationId, userId, before: null, limit: 10 });
  const conversation = await ai.findConversation({ conversationId, userId });
  return [
    page?.messages.map(({ content, finishReason, uses }) => [content, finishReason, uses]),
    conversation?.totalToken,
  ];
}

const keptTurn = ({ question, answer, finishReason, uses }: Turn) => [
  [answer, finishReason, uses],
  [question, null, null],
];

/** Promises of a storage about shares whose server may be gone. */
export const lostReplyCases: readonly StorageCase[] = defineCases("ai lost replies", {
  "a settlement adds its turn, once": async ({ storage, reopen }) => {
    const turn = await turnIn(storage.ai);
    await storage.ai.reserve(request("a"));
    assert.equal(await storage.ai.settle({ reservationId: "a", used, turn }), true);
    assert.equal(await storage.ai.settle({ reservationId: "a", used, turn }), false);
    await expectKept((await reopen()).ai, turn);
  },

  "a settlement of nothing reserved adds no turn": async ({ storage: { ai } }) => {
    const turn = await turnIn(ai);
    assert.equal(await ai.settle({ reservationId: "unknown", used, turn }), false);
    assert.deepEqual(await keptOf(ai, turn), [[], 0]);
  },

  "a settlement counts although its conversation is gone": async ({ storage: { ai } }) => {
    const turn = await turnIn(ai);
    await ai.reserve(request("a"));
    await ai.dropConversation(turn);
    assert.equal(await ai.settle({ reservationId: "a", used, turn }), true);
    assert.deepEqual(await ai.sumUsage(user, justToday), used);
  },

  "an expired share is settled with the settlement that was stored last": async ({ storage, reopen }) => {
    const turn = await turnIn(storage.ai);
    await storage.ai.reserve(request("a"));
    const less = { used: { ...used, tokens: 10 }, turn: { ...turn, answer: "", tokens: 10 } };
    for (const soFar of [less, { used, turn }])
      assert.equal(await storage.ai.touchReservation({ reservationId: "a", expiresAt: end, soFar }), true);
    const { ai } = await reopen();
    assert.equal(await ai.settleExpired({ now: end, limit: 10 }), 1);
    await expectKept(ai, turn);
  },

  "an expired share is settled once": async ({ storage: { ai } }) => {
    const { turn } = await beginTurn(ai);
    assert.equal(await ai.settleExpired({ now: end, limit: 10 }), 1);
    assert.equal(await ai.settleExpired({ now: end, limit: 10 }), 0);
    await expectKept(ai, turn);
  },

  "a share that has not expired is not settled": async ({ storage: { ai } }) => {
    await beginTurn(ai);
    assert.equal(await ai.settleExpired({ now: end - 1, limit: 10 }), 0);
    assert.equal(await ai.settle({ reservationId: "a", used }), true);
  },

  "a touched share expires later": async ({ storage: { ai } }) => {
    await ai.reserve(request("a", { replies: 10, expiresAt: now + 10 }));
    await ai.touchReservation({ reservationId: "a", expiresAt: now + 20, soFar: { used, turn: null } });
    assert.equal(await ai.settleExpired({ now: now + 19, limit: 10 }), 0);
    assert.equal(await ai.reserve(request("more", {}, { now: now + 19 })), "exceeded");
    assert.equal(await ai.settleExpired({ now: now + 20, limit: 10 }), 1);
  },

  "expired shares that were never touched are settled with nothing, up to a limit": async ({ storage: { ai } }) => {
    for (const id of ["a", "b", "c"]) await ai.reserve(request(id, { expiresAt: now + 10 }));
    assert.equal(await ai.settleExpired({ now: now + 10, limit: 2 }), 2);
    assert.equal(await ai.settleExpired({ now: now + 10, limit: 2 }), 1);
    assert.deepEqual(await ai.sumUsage(user, justToday), { replies: 0, tokens: 0, started: 0 });
  },

  "a server that returns after its share was settled changes nothing": async ({ storage: { ai } }) => {
    const { turn, touch } = await beginTurn(ai);
    await ai.settleExpired({ now: end, limit: 10 });
    const later = { used: { ...used, tokens: 90 }, turn: { ...turn, answer: "more", tokens: 90 } };
    assert.equal(await ai.touchReservation({ ...touch, expiresAt: end + 10, soFar: later }), false);
    assert.equal(await ai.settle({ reservationId: "a", ...later }), false);
    await expectKept(ai, turn);
  },

  "of many servers that settle an expired share, and its own server, one does": async ({ storage, raceServers }) => {
    const { turn } = await beginTurn(storage.ai);
    const settled = await raceServers(8, async ({ ai }, caller) =>
      caller === 0
        ? ai.settle({ reservationId: "a", used, turn })
        : (await ai.settleExpired({ now: end, limit: 10 })) > 0,
    );
    assert.equal(settled.filter(Boolean).length, 1);
    await expectKept(storage.ai, turn);
  },
});
