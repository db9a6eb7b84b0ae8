import { type Caller, TelexError } from "@telex/core";
import { defineRoute } from "@telex/http";
import { defineChannel } from "@telex/ws";
import { z } from "zod";

const vote = z.object({ vote: z.enum(["yes", "no"]) });
const tally = z.object({ yes: z.int().min(0), no: z.int().min(0) }).meta({ id: "Tally" });

type Vote = z.output<typeof vote>;
type Tally = z.output<typeof tally>;

/** The votes of the users of an installation, in the memory of one process. */
function createPoll() {
  const votes = new Map<number, Vote["vote"]>();
  const watching = new Set<(now: Tally) => void>();
  const count = (): Tally => {
    const yes = [...votes.values()].filter((one) => one === "yes").length;
    return { yes, no: votes.size - yes };
  };
  return {
    count,
    /** Calls back with each new tally. The returned function ends it. */
    watch(tell: (now: Tally) => void): () => void {
      watching.add(tell);
      return () => void watching.delete(tell);
    },
    /** @throws TelexError `nonce_conflict` if this user has voted before */
    cast({ userId }: Caller & { readonly kind: "token" }, input: Vote): Tally {
      if (votes.has(userId)) throw new TelexError("nonce_conflict");
      votes.set(userId, input.vote);
      for (const tell of watching) tell(count());
      return count();
    },
  };
}

/** A plug-in with routes and a channel of its own: users vote over HTTP or a socket, and see each vote as it is cast. */
export function createVotes() {
  const poll = createPoll();
  const cast = { summary: "Votes, once.", input: vote, output: tally, errors: ["nonce_conflict"] } as const;
  return {
    routes: [
      defineRoute({
        ...cast,
        name: "votes.cast",
        method: "POST",
        path: "/plugins/votes",
        access: "chat",
        run: async ({ caller, input }) => poll.cast(caller, input),
      }),
      defineRoute({
        name: "votes.tally",
        method: "GET",
        path: "/plugins/votes",
        summary: "How many said what.",
        access: "chat",
        input: z.object({}),
        output: tally,
        run: async () => poll.count(),
      }),
    ],
    channel: defineChannel({
      name: "votes",
      path: "/plugins/votes",
      summary: "Yes or no, and how many said what.",
      scopes: ["chat"],
      commands: { vote: { ...cast, result: "VoteResult" } },
      events: { Tally: tally },
      open({ live, push }) {
        const stop = poll.watch((now) => push("Tally", now));
        push("Tally", poll.count());
        return { run: { vote: async ({ input }) => poll.cast(live.holder, input) }, stop };
      },
    }),
  };
}
