import { z } from "zod";
import type { BusLink } from "@telex/ground/bus";
import type { TeleprinterLimits } from "./limits.ts";
import type { TeleprinterStore } from "./store.ts";

/**
 * The state of the holder of a queue. `connected`: its connection answers. `busy`: it is a poll that is being answered. `gone`: neither.
 */
const holderState = z.literal(["connected", "busy", "gone"]);
export type HolderState = z.output<typeof holderState>;

const answer = z.object({ state: holderState });

/** A holder on this server, which takes texts of a device. */
interface Entered {
  readonly holder: string;
  readonly leave: () => void;
}

export interface Holders {
  /** Call it before taking texts: a server that finds the queue held calls `state`. */
  enter(state: (takesOver: boolean) => Promise<HolderState>): Entered;
  /** True for a holder that is known to be gone without asking its server. */
  isGone(holder: string): boolean;
  /**
   * Asks for the state of a holder on any server, for at most `takeoverWait`. The texts of a holder that is gone are free
   * when this resolves, and are offered to all that wait for them. With `takesOver`, a holder that is a connection is replaced.
   */
  check(deviceId: string, holder: string, takesOver?: boolean): Promise<HolderState>;
}

export interface HolderQuestions {
  /** The answer of that server, or the reason why it gave no answer. `patience`: milliseconds that the server may take. */
  ask(asked: {
    readonly server: string;
    readonly question: { readonly name: "holder"; readonly holder: string; readonly takesOver?: true };
    readonly answer: typeof answer;
    readonly patience: number;
  }): Promise<z.output<typeof answer> | string>;
  /** Begins to answer questions about the holders of this server. */
  offerHolders(find: (holder: string, takesOver: boolean) => Promise<z.output<typeof answer>>): void;
}

interface HoldersDeps {
  readonly store: Pick<TeleprinterStore, "requeue">;
  readonly bus: Pick<BusLink<never>, "hasPeers">;
  readonly accountQuestions: HolderQuestions;
  readonly leases: { readonly holder: string };
  readonly limits: Pick<TeleprinterLimits, "serverSilence">;
}

const serverOf = (holder: string): string => holder.slice(0, holder.lastIndexOf("#"));
const numberOf = (holder: string): number => Number(holder.slice(holder.lastIndexOf("#") + 1));

/** Asks the server of a holder that is not here. A server that does not answer, or is of an older version, holds no queue. */
async function askElsewhere(
  { accountQuestions, limits }: HoldersDeps,
  holder: string,
  takesOver: boolean,
): Promise<HolderState> {
  const question = { name: "holder", holder, ...(takesOver && { takesOver }) } as const;
  const request = { server: serverOf(holder), question, answer, patience: limits.serverSilence };
  const said = await accountQuestions.ask(request);
  return typeof said === "string" ? "gone" : said.state;
}

/**
 * Creates the holders of this server.
 * @param freed texts of the device are free again
 */
export function createHolders(deps: HoldersDeps, freed: (deviceId: string) => void): Holders {
  const { store, bus, leases } = deps;
  /** By number: a key that is a new string would have to be hashed for each poll. */
  const entered = new Map<number, (takesOver: boolean) => Promise<HolderState>>();
  const checking = new Map<string, Promise<HolderState>>();
  let count = 0;
  const isOurs = (holder: string): boolean => serverOf(holder) === leases.holder;
  const findHere = (holder: string) => (isOurs(holder) ? entered.get(numberOf(holder)) : undefined);
  const stateHere = async (holder: string, takesOver: boolean): Promise<HolderState> =>
    (await findHere(holder)?.(takesOver)) ?? "gone";
  const find = (holder: string, takesOver: boolean): Promise<HolderState> =>
    isOurs(holder) || !bus.hasPeers ? stateHere(holder, takesOver) : askElsewhere(deps, holder, takesOver);
  const checkOnce = async (deviceId: string, holder: string, takesOver: boolean): Promise<HolderState> => {
    const state = await find(holder, takesOver);
    if (state !== "gone") return state;
    await store.requeue({ deviceId, holder });
    freed(deviceId);
    return state;
  };
  deps.accountQuestions.offerHolders(async (holder, takesOver) => ({ state: await stateHere(holder, takesOver) }));
  return {
    enter(state) {
      count += 1;
      const number = count;
      entered.set(number, state);
      return { holder: `${leases.holder}#${number}`, leave: () => void entered.delete(number) };
    },
    isGone: (holder) => findHere(holder) === undefined && (isOurs(holder) || !bus.hasPeers),
    check(deviceId, holder, takesOver = false) {
      const key = takesOver ? `${holder} takes over` : holder;
      const running = checking.get(key);
      if (running !== undefined) return running;
      const checked = checkOnce(deviceId, holder, takesOver).finally(() => void checking.delete(key));
      checking.set(key, checked);
      return checked;
    },
  };
}
