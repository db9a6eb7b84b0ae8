import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { BusLink } from "../bus/link.ts";
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
  /** The name of the holder, unique on all servers. */
  readonly holder: string;
  /** From now on, the holder is gone. */
  readonly leave: () => void;
}

/** The holders of queues of devices. */
export interface Holders {
  /** To be called before texts are taken: whoever finds the queue held asks `state`. */
  enter(state: () => Promise<HolderState>): Entered;
  /** True for a holder that is known to be gone without asking its server. */
  isGone(holder: string): boolean;
  /**
   * Asks whether a holder is still there, on whichever server it is, for at most `takeoverWait`. What one that is gone holds is free
   * when this resolves, and is offered to everybody who waits for it.
   */
  check(deviceId: string, holder: string): Promise<HolderState>;
}

/** Questions between the servers of an installation. */
export interface HolderQuestions {
  /** The answer of that server, or why there is none. `patience`: milliseconds for which it may say nothing. */
  ask(asked: {
    readonly server: string;
    readonly key: string;
    readonly question: { readonly name: "holder"; readonly holder: string };
    readonly answer: typeof answer;
    readonly patience: number;
  }): Promise<z.output<typeof answer> | string>;
  /** This server answers questions about its holders from here on. */
  offerHolders(find: (holder: string) => Promise<z.output<typeof answer>>): void;
}

interface HoldersDeps {
  readonly store: Pick<TeleprinterStore, "requeue">;
  readonly bus: Pick<BusLink<never>, "hasPeers">;
  readonly accountQuestions: HolderQuestions;
  /** The name of this server in its leases. */
  readonly leases: { readonly holder: string };
  readonly limits: Pick<TeleprinterLimits, "serverSilence">;
}

/** The server in the name of a holder. */
const serverOf = (holder: string): string => holder.slice(0, holder.lastIndexOf("#"));

/** Asks the server of a holder that is not here. One that says nothing, or is of an older version, holds nothing. */
async function askElsewhere({ accountQuestions, limits }: HoldersDeps, holder: string): Promise<HolderState> {
  const question = { name: "holder", holder } as const;
  const asked = { server: serverOf(holder), key: randomUUID(), question, answer, patience: limits.serverSilence };
  const said = await accountQuestions.ask(asked);
  return typeof said === "string" ? "gone" : said.state;
}

/**
 * No queue is held on this server at the beginning.
 * @param freed texts of the device are free again
 */
export function createHolders(deps: HoldersDeps, freed: (deviceId: string) => void): Holders {
  const { store, bus, leases } = deps;
  const entered = new Map<string, () => Promise<HolderState>>();
  const checking = new Map<string, Promise<HolderState>>();
  let count = 0;
  const stateHere = async (holder: string): Promise<HolderState> => (await entered.get(holder)?.()) ?? "gone";
  const isGone = (holder: string): boolean =>
    !entered.has(holder) && (!bus.hasPeers || serverOf(holder) === leases.holder);
  const find = (holder: string): Promise<HolderState> =>
    entered.has(holder) || isGone(holder) ? stateHere(holder) : askElsewhere(deps, holder);
  const checkOnce = async (deviceId: string, holder: string): Promise<HolderState> => {
    const state = await find(holder);
    if (state !== "gone") return state;
    await store.requeue({ deviceId, holder });
    freed(deviceId);
    return state;
  };
  deps.accountQuestions.offerHolders(async (holder) => ({ state: await stateHere(holder) }));
  return {
    enter(state) {
      count += 1;
      const holder = `${leases.holder}#${count}`;
      entered.set(holder, state);
      return { holder, leave: () => void entered.delete(holder) };
    },
    isGone,
    check(deviceId, holder) {
      const checked = checking.get(holder) ?? checkOnce(deviceId, holder).finally(() => void checking.delete(holder));
      checking.set(holder, checked);
      return checked;
    },
  };
}
