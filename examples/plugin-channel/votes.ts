import { TelexError } from "@telex/core";
import { defineChannel } from "@telex/ws";
import { z } from "zod";

const tally = z.object({ yes: z.int().min(0), no: z.int().min(0) });

type Tally = z.output<typeof tally>;

/** A channel on which the users of an installation vote, and see each vote as it is cast. */
export function createVotes() {
  const votes = new Map<number, "yes" | "no">();
  const watching = new Set<(now: Tally) => void>();
  const count = (): Tally => {
    const yes = [...votes.values()].filter((vote) => vote === "yes").length;
    return { yes, no: votes.size - yes };
  };
  return defineChannel({
    name: "votes",
    path: "/plugins/votes",
    summary: "Yes or no, and how many said what.",
    scopes: ["chat"],
    commands: {
      vote: {
        summary: "Votes, once.",
        result: "VoteResult",
        input: z.object({ vote: z.enum(["yes", "no"]) }),
        output: tally,
      },
    },
    events: { Tally: tally },
    open({ live, push }) {
      const watch = (now: Tally): void => push("Tally", now);
      watching.add(watch);
      watch(count());
      return {
        run: {
          async vote({ input }) {
            if (votes.has(live.holder.userId)) throw new TelexError("nonce_conflict");
            votes.set(live.holder.userId, input.vote);
            for (const tell of watching) tell(count());
            return count();
          },
        },
        stop: () => void watching.delete(watch),
      };
    },
  });
}
