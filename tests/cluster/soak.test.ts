import { setTimeout as delay } from "node:timers/promises";
import { createRandom } from "@telex/conformance/testing";
import { expect, inject, it } from "vitest";
import { buses, disturb, say } from "./installation.ts";

const { TELEX_CLUSTER_SEED, TELEX_CLUSTER_SOAK, TELEX_CLUSTER_BUS } = process.env;
const seed = Number(TELEX_CLUSTER_SEED ?? Math.floor(Math.random() * 2 ** 32));
/** The length of the run in minutes. Without it, the test is skipped. */
const minutes = Number(TELEX_CLUSTER_SOAK ?? 0);
const bus = buses.find((one) => one === TELEX_CLUSTER_BUS) ?? "nats";

const minute = 60_000;
/** Milliseconds between two rolling restarts. */
const restartEvery = 5 * minute;
/** Milliseconds for which a server drains, and until the next one does. */
const drainTime = 3000;
/** Clients pause up to 0.8 s between two calls. */
const pace = 20;

it.runIf(minutes > 0)(
  `loses and doubles nothing over ${minutes} minutes with a rolling restart every 5 minutes`,
  { timeout: minutes * minute * 2 + 10 * minute },
  async () => {
    say(`soak over ${bus}: seed ${seed}, ${minutes} minutes`);
    const program = (): string => inject("newer");
    const length = minutes * minute;
    const random = createRandom(seed);
    const problems = await disturb({ bus, random, program, isOneVersion: true, pace, length }, async (run, cluster) => {
      const end = performance.now() + length;
      while (performance.now() + restartEvery <= end) {
        await delay(restartEvery - cluster.servers.length * 2 * drainTime);
        for (const server of cluster.servers) {
          server.drain();
          await delay(drainTime);
          await server.stop();
          await server.start();
          await delay(drainTime);
        }
        say(`  ${Math.round((length - end + performance.now()) / minute)} minutes: ${run.problems.length} problems`);
      }
      return new Map();
    });
    expect(problems, `seed ${seed}`).toEqual([]);
  },
);
