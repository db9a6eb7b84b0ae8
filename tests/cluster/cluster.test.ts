import { describe, expect, inject, it } from "vitest";
import { sampleOf } from "test-support/every";
import { createRandom, type Random } from "@telex/conformance/testing";
import { type BusName, buses, disturb, say } from "./installation.ts";
import { killAll } from "./kills.ts";
import type { ServerNode } from "./nodes.ts";

const { TELEX_CLUSTER_SEED, TELEX_CLUSTER_KILLS, TELEX_CLUSTER_BUS } = process.env;
const seed = Number(TELEX_CLUSTER_SEED ?? Math.floor(Math.random() * 2 ** 32));
/** The number of kills with each bus. `npm test -- cluster` makes a few; TELEX_CLUSTER_KILLS=100 takes at least a quarter of an hour. */
const kills = Number(TELEX_CLUSTER_KILLS ?? 4);

/** TELEX_CLUSTER_BUS selects one of them. CI has time for the first one. */
const tested = sampleOf(buses.filter((bus) => bus === (TELEX_CLUSTER_BUS ?? bus)));

/**
 * The version that a server starts as. Over NATS, it is first the older one, then either, and finally the newer one. Over change
 * streams, it is always the newer one, so that each server can continue the replies of the others, which the older version cannot do.
 */
function createRollout(random: Random, bus: BusName) {
  const newer = inject("newer");
  const older = bus === "nats" ? (inject("older") ?? newer) : newer;
  let share = 0;
  return {
    newer,
    isOneVersion: older === newer,
    /** Sets the progress of the test, 0 to 1. */
    advance: (to: number) => void (share = to),
    program: () => (share > 0.8 || (share > 0 && random.chance(0.5)) ? newer : older),
  };
}

/** Updates the remaining older servers one after another while clients continue. */
async function updateAll(servers: readonly ServerNode[], newer: string): Promise<number> {
  const left = servers.filter((server) => server.version() !== newer);
  for (const server of left) {
    await server.stop();
    await server.start();
  }
  return left.length;
}

describe.each(tested)("over %s", (bus) => {
  it(`loses and doubles nothing over ${kills} kills`, { timeout: 400_000 + kills * 40_000 }, async () => {
    say(`cluster test over ${bus}: seed ${seed}, ${kills} kills`);
    const random = createRandom(seed);
    const rollout = createRollout(random.fork(1), bus);
    const { program, isOneVersion } = rollout;
    const size = { pace: 1, length: kills * 20_000 };
    const problems = await disturb({ bus, random, program, isOneVersion, ...size }, async (run, cluster, speakers) => {
      const onKill = (round: number): void => rollout.advance((round + 1) / kills);
      const recoveries = await killAll(run, cluster, { kills, speakers, onKill });
      say(`  updated ${await updateAll(cluster.servers, rollout.newer)} servers that were still of the older version`);
      return recoveries;
    });
    expect(problems, `seed ${seed}`).toEqual([]);
  });
});
