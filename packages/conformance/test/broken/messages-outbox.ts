import type { MessageStore, SendClaim } from "@telex/core/storage";
import { type BrokenStorage, meanwhile, override } from "./spoil.ts";

const name = (sentence: string): string => `outbox: ${sentence}`;

const spoilMessages = (change: (store: MessageStore) => Partial<MessageStore>): BrokenStorage["spoil"] =>
  override("messages", change);

const changeClaims = (change: (claim: SendClaim) => SendClaim): BrokenStorage["spoil"] =>
  spoilMessages((store) => ({ claimSend: (claim) => store.claimSend(change(claim)) }));

/** Wrong stores of messages that wait for an external network. */
export const brokenOutboxes: readonly BrokenStorage[] = [
  {
    fault: "a message may start again",
    found: [name("a message that waits can be started once"), name("of 20 that start one message exactly one does")],
    spoil: spoilMessages((store) => ({
      startSend: async (start) => (await store.startSend(start)) || start.id !== "unknown",
    })),
  },
  {
    fault: "what has ended stays",
    found: [name("what has ended is deleted, also of an account that never sends again")],
    spoil: changeClaims((claim) => ({ ...claim, at: 0 })),
  },
  {
    fault: "a nonce is not kept in the outbox",
    found: [
      name("a message that started keeps its nonce"),
      name("of 20 simultaneous claims with one nonce one can start"),
      name("a message of which a part is stored stays, and keeps its nonce"),
    ],
    spoil: changeClaims((claim) => ({ ...claim, nonce: null })),
  },
  {
    fault: "a message that waits gives way to a repeat",
    found: [
      name("a message that waits keeps its place, and a repeat gets that place"),
      name("of 20 simultaneous claims with one nonce one can start"),
    ],
    spoil: spoilMessages((store) => ({
      async claimSend(claim) {
        const claimed = await store.claimSend(claim);
        if (claimed.outcome !== "waiting") return claimed;
        await store.finishSend({
          ...claimed.first,
          outcome: "failed",
          from: "waiting",
          reason: "",
          until: claim.until,
        });
        return store.claimSend(claim);
      },
    })),
  },
  {
    fault: "no message ever fails",
    found: [name("a message that failed frees its nonce, and keeps its reason until its time has come")],
    spoil: spoilMessages(() => ({ finishSend: () => Promise.resolve(true) })),
  },
  {
    fault: "a stored message stays in the outbox",
    found: [
      name("a stored message leaves the outbox, and its nonce answers with it"),
      name("a message that the network has told before leaves the outbox, and gets its nonce"),
    ],
    spoil: spoilMessages((store) => ({ append: (append) => store.append({ ...append, sent: null }) })),
  },
  {
    fault: "a part counts as the whole",
    found: [name("a message of which a part is stored stays, and keeps its nonce")],
    spoil: spoilMessages((store) => ({
      append: ({ sent, ...append }) => store.append({ ...append, sent: sent && { ...sent, isPart: false } }),
    })),
  },
  {
    fault: "a message leaves the outbox before it is stored",
    found: [name("what is not stored stays in the outbox")],
    spoil: spoilMessages((store) => ({
      async append(append) {
        const gone = { outcome: "failed", from: "started", reason: "", until: 0 } as const;
        if (append.sent !== null) await store.finishSend({ ...append.sent, ...gone });
        return store.append(append);
      },
    })),
  },
  {
    fault: "a message is looked at, then ends",
    found: [
      name("a message that has started does not fail as one that waits"),
      name("of 20 that start or fail one message exactly one does"),
    ],
    spoil: spoilMessages((store) => ({
      async finishSend(end) {
        const [row] = await store.listSends({ ids: [end.id], now: 0 });
        await meanwhile();
        const ended = end.outcome === "failed" && (await store.finishSend({ ...end, from: "started" }));
        return ended || (await store.finishSend(end)) || row !== undefined;
      },
    })),
  },
  {
    fault: "an unknown outcome is forgotten",
    found: [name("a message with an unknown outcome keeps its nonce and its words")],
    spoil: spoilMessages((store) => ({
      finishSend: (end) =>
        store.finishSend(end.outcome === "failed" ? end : { ...end, outcome: "failed", reason: "", until: 0 }),
    })),
  },
  {
    fault: "a message that waits ends although somebody asks for it",
    found: [name("messages that wait are kept while a server asks for that")],
    spoil: spoilMessages(() => ({ touchSends: () => Promise.resolve() })),
  },
  {
    fault: "the next message is the one that was claimed first",
    found: [name("the next message of a room is the one with the smallest id")],
    spoil: spoilMessages((store) => {
      const ids: string[] = [];
      return {
        claimSend(claim) {
          ids.push(claim.id);
          return store.claimSend(claim);
        },
        async findNextSend(room) {
          const rows = await store.listSends({ ids, now: room.now });
          const waiting = rows.filter(({ groupId, state }) => groupId === room.groupId && state === "waiting");
          return waiting.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))[0] ?? null;
        },
      };
    }),
  },
  {
    fault: "a room is listed once for each of its messages",
    found: [name("rooms in which messages wait are listed once")],
    spoil: spoilMessages((store) => ({
      async listWaitingRooms(at) {
        const rooms = await store.listWaitingRooms(at);
        return [...rooms, ...rooms];
      },
    })),
  },
  {
    fault: "there is no limit",
    found: [name("an account has as many messages as are allowed")],
    spoil: changeClaims((claim) => ({ ...claim, limit: 1000 })),
  },
  {
    fault: "everything counts",
    found: [name("what has started long ago, or is partly there, does not count")],
    spoil: changeClaims((claim) => ({ ...claim, activeSince: 0 })),
  },
  {
    fault: "the place in the outbox is counted, then taken",
    found: [name("of 20 simultaneous claims no more are in the outbox than are allowed")],
    spoil: spoilMessages((store) => {
      let count = 0;
      return {
        async claimSend(claim) {
          if (count >= claim.limit) return { outcome: "full" };
          await meanwhile();
          count += 1;
          return store.claimSend({ ...claim, limit: 1000 });
        },
      };
    }),
  },
  {
    fault: "nothing ever expires",
    found: [name("what has had its time counts as gone")],
    spoil: changeClaims((claim) => ({ ...claim, until: Number.MAX_SAFE_INTEGER })),
  },
  {
    fault: "messages are listed by room only, the latest first",
    found: [name("messages are listed by account and room, in the order of their starts")],
    spoil: spoilMessages((store) => ({
      listStartedSends: async (room) => (await store.listStartedSends(room)).toReversed(),
    })),
  },
];
