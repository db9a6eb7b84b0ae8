import type { Reservation } from "@telex/core/storage";
import { settleTurn } from "../../src/ai/settle-turn.ts";
import { type BrokenStorage, meanwhile, override } from "./spoil.ts";

/** Wrong stores of quotas. */
export const brokenQuotas: readonly BrokenStorage[] = [
  {
    fault: "reservations are not counted",
    found: ["ai: of 100 callers for the last 7 shares exactly 7 get one"],
    spoil: override("ai", (store) => ({
      async reserve(request) {
        const { unit, max, days, reservation } = request;
        const used = await store.sumUsage(reservation.userId, days);
        const sum = unit === "count" ? used.replies + reservation.replies : used.tokens + reservation.tokens;
        return sum > max ? "exceeded" : store.reserve({ ...request, max: Number.MAX_SAFE_INTEGER });
      },
    })),
  },
  {
    fault: "a share that is reserved again counts twice",
    found: ["ai: a share that is reserved again takes its own place, up to the maximum"],
    spoil: override("ai", (store) => ({
      reserve: (request) =>
        store.reserve(request.again ? { ...request, max: request.max - request.reservation.tokens } : request),
    })),
  },
  {
    fault: "a share that was settled comes back when it is reserved again",
    found: ["ai: a share that was settled is not reserved again"],
    spoil: override("ai", (store) => ({
      async reserve({ again, ...request }) {
        const outcome = await store.reserve({ ...request, ...(again && { again }) });
        return outcome === "settled" ? store.reserve(request) : outcome;
      },
    })),
  },
  {
    fault: "a share is reserved again without the lock of its quota",
    found: ["ai: of 30 shares that are reserved again for the last 70 tokens exactly 7 get 10 of them"],
    spoil: override("ai", (store) => {
      const tokens = new Map<string, number>();
      const total = (): number => [...tokens.values()].reduce((sum, one) => sum + one, 0);
      return {
        async reserve(request) {
          const { reservation, again } = request;
          const { reservationId: id } = reservation;
          if (!again) tokens.set(id, reservation.tokens);
          const would = total() - (tokens.get(id) ?? 0) + reservation.tokens;
          if (!again || !tokens.has(id)) return store.reserve(request);
          await meanwhile();
          if (would > request.max) return "exceeded";
          tokens.set(id, reservation.tokens);
          return store.reserve({ ...request, max: Number.MAX_SAFE_INTEGER });
        },
        settle(settlement) {
          tokens.delete(settlement.reservationId);
          return store.settle(settlement);
        },
      };
    }),
  },
  {
    fault: "started replies are counted first and limited later",
    found: ["ai: of 30 callers that start and stop replies exactly as many as allowed start one"],
    spoil: override("ai", (store) => ({
      async reserve({ maxStarted, ...request }) {
        const { reservation, days } = request;
        const used = await store.sumUsage(reservation.userId, days);
        await meanwhile();
        const isTooMany = maxStarted !== null && used.started + reservation.started > maxStarted;
        return isTooMany ? "too_many_started" : store.reserve({ ...request, maxStarted: null });
      },
    })),
  },
  {
    fault: "only completed replies count as started",
    found: ["ai: started replies are kept, also of a share that used nothing else"],
    spoil: override("ai", (store) => ({
      settle: ({ reservationId, used }) => store.settle({ reservationId, used: { ...used, started: used.replies } }),
    })),
  },
  {
    fault: "an expired reservation counts forever",
    found: ["ai: a share that expired is free again"],
    spoil: override("ai", (store) => ({
      reserve: ({ reservation, ...request }) =>
        store.reserve({ ...request, reservation: { ...reservation, expiresAt: Number.MAX_SAFE_INTEGER } }),
    })),
  },
  {
    fault: "a second settlement adds again",
    found: [
      "ai: a second settlement adds nothing, nor does one of nothing reserved",
      "ai: of 10 simultaneous settlements one adds",
    ],
    spoil: override("ai", (store) => {
      const reservations = new Map<string, Reservation>();
      return {
        reserve(request) {
          reservations.set(request.reservation.reservationId, request.reservation);
          return store.reserve(request);
        },
        async settle(settlement) {
          const reservation = reservations.get(settlement.reservationId);
          const added = await store.settle(settlement);
          if (added || reservation === undefined) return added;
          const days = { from: reservation.day, to: reservation.day };
          const max = Number.MAX_SAFE_INTEGER;
          await store.reserve({ reservation, unit: "count", max, maxStarted: null, days, now: 0 });
          return store.settle(settlement);
        },
      };
    }),
  },
  {
    fault: "a settlement adds its turn also if the share was settled before",
    found: [
      "ai lost replies: a settlement adds its turn, once",
      "ai lost replies: a server that returns after its share was settled changes nothing",
    ],
    spoil: override("ai", (store) => ({
      async settle({ turn = null, ...settlement }) {
        const isSettled = await store.settle(settlement);
        if (turn !== null) await settleTurn(store, turn);
        return isSettled;
      },
    })),
  },
  {
    fault: "what is stored of a reply does not move the end of its share",
    found: ["ai lost replies: a touched share expires later"],
    spoil: override("ai", (store) => {
      const ends = new Map<string, number>();
      return {
        reserve(request) {
          ends.set(request.reservation.reservationId, request.reservation.expiresAt);
          return store.reserve(request);
        },
        touchReservation: (touch) =>
          store.touchReservation({ ...touch, expiresAt: ends.get(touch.reservationId) ?? touch.expiresAt }),
      };
    }),
  },
  {
    fault: "an expired reservation is dropped and not settled",
    found: ["ai lost replies: an expired share is settled with the settlement that was stored last"],
    spoil: override("ai", (store) => ({
      touchReservation: (touch) =>
        store.touchReservation({ ...touch, soFar: { used: { replies: 0, tokens: 0, started: 0 }, turn: null } }),
    })),
  },
  {
    fault: "the last day of a range counts",
    found: ["ai: usage is the sum of its days, the last one not included"],
    spoil: override("ai", (store) => ({
      sumUsage: (userId, days) => store.sumUsage(userId, { ...days, to: `${days.to}~` }),
    })),
  },
  {
    fault: "conversations come in the order of their ids",
    found: [
      "ai conversations: a list is sorted by the last message, newest first, ties by id; offset and limit count rows",
    ],
    spoil: override("ai", (store) => ({
      async listConversations(userId, page) {
        const { total, list } = await store.listConversations(userId, page);
        return { total, list: list.toSorted((a, b) => b.id - a.id) };
      },
    })),
  },
  {
    fault: "the tokens of a turn are read first and written later",
    found: ["ai conversations: simultaneous turns are all kept, and all their tokens"],
    spoil: override("ai", (store) => {
      let tokens = 0;
      return {
        async settle(settlement) {
          const before = tokens;
          await meanwhile();
          tokens = before + (settlement.turn?.tokens ?? 0);
          return store.settle(settlement);
        },
        async findConversation(key) {
          const conversation = await store.findConversation(key);
          return conversation === null ? null : { ...conversation, totalToken: tokens };
        },
      };
    }),
  },
];
