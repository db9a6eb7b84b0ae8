import type { MessageStore, SendClaim } from "@telex/core/storage";
import { type BrokenStorage, meanwhile, override } from "./spoil.ts";

const name = (sentence: string): string => `outbox: ${sentence}`;

const spoilMessages = (change: (store: MessageStore) => Partial<MessageStore>): BrokenStorage["spoil"] =>
  override("messages", change);

const changeClaims = (change: (claim: SendClaim) => SendClaim): BrokenStorage["spoil"] =>
  spoilMessages((store) => ({ claimSend: (claim) => store.claimSend(change(claim)) }));

/** Storages that break what is promised of messages on their way to an external network. */
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
        await store.cancelSend(claimed.first);
        return store.claimSend(claim);
      },
    })),
  },
  {
    fault: "nothing is ever taken out",
    found: [name("a message that was taken out frees its nonce")],
    spoil: spoilMessages(() => ({ dropSend: () => Promise.resolve() })),
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
        if (append.sent !== null) await store.dropSend(append.sent);
        return store.append(append);
      },
    })),
  },
  {
    fault: "a message that has started can be cancelled",
    found: [
      name("a message that has started cannot be cancelled"),
      name("of 20 that start or cancel one message exactly one does"),
    ],
    spoil: spoilMessages((store) => ({
      async cancelSend(cancelled) {
        const isThere = (await store.findSend({ ...cancelled, now: 0 })) !== null;
        await meanwhile();
        await store.dropSend(cancelled);
        return isThere;
      },
    })),
  },
  {
    fault: "a message that was cancelled is still there",
    found: [name("a message that still waits can be cancelled, and is found until then")],
    spoil: spoilMessages(() => ({ cancelSend: () => Promise.resolve(true) })),
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
