import { cpuOf } from "./process.ts";
import { percentile } from "./statistics.ts";
import type { Measurement } from "./workload.ts";

/** Messages before the warm-up, during it, and after it. The database for tests stores between fifty and a few hundred per second. */
const [coldMessages, warmMessages, measuredMessages] = [200, 800, 300] as const;

/** Messages in flight during the warm-up, so that it takes less time. */
const warmInFlight = 32;

interface Sending {
  /** Sends messages, `inFlight` of them at a time. Calls `acknowledged` with the milliseconds that each took. */
  readonly send: (count: number, inFlight: number, acknowledged: (ms: number) => void) => Promise<void>;
  readonly inFlight: number;
  /** The process of the database. */
  readonly database: number;
}

/** The CPU time of a message in this process: in the first messages, which V8 has not compiled, and after a warm-up. */
export async function measureMessages({ send, inFlight, database }: Sending): Promise<Measurement> {
  const idle = process.memoryUsage().rss / 2 ** 20;
  const times: number[] = [];
  const cpuOfSends = async (count: number): Promise<number> => {
    const before = process.cpuUsage();
    await send(count, inFlight, (ms) => void times.push(ms));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / count;
  };
  const cold = await cpuOfSends(coldMessages);
  await send(warmMessages, warmInFlight, () => undefined);
  times.length = 0;
  const before = await cpuOf(database);
  const warm = await cpuOfSends(measuredMessages);
  return {
    "cold CPU µs/message": cold,
    "CPU µs/message": warm,
    "database CPU µs/message": (((await cpuOf(database)) - before) * 1e6) / measuredMessages,
    "ack p50 ms": percentile(times, 0.5),
    "ack p99 ms": percentile(times, 0.99),
    "idle MiB": idle,
    "peak MiB": process.resourceUsage().maxRSS / 1024,
  };
}
