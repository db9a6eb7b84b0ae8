import { operator } from "@telex/core";
import { folder } from "test-support/command";
import { sampleOf } from "test-support/every";
import { expect, inject, it } from "vitest";
import { openOperator } from "./ground.ts";
import { createDatabase, createNats, createServers } from "./nodes.ts";

// A busy machine answers only a few calls in a second. The bucket must still run empty.
const rate = { burst: 200, perMinute: 60 } as const;

/** Consecutive refusals after which a client stops. */
const refusals = 10;

/** Calls as fast as the servers answer, several calls at a time on each of them. Resolves with the number of calls that were not refused. */
async function exhaust(urls: readonly string[], token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const client = async (url: string): Promise<number> => {
    let allowed = 0;
    for (let refused = 0; refused < refusals; refused += 1) {
      const { status, body } = await fetch(`${url}/external/api/v1/im/groups`, { headers });
      await body?.cancel();
      if (status !== 200) continue;
      allowed += 1;
      refused = 0;
    }
    return allowed;
  };
  const counts = await Promise.all(urls.flatMap((url) => Array.from({ length: 4 }, () => client(url))));
  return counts.reduce((sum, count) => sum + count, 0);
}

it.each(sampleOf(["nats", "mongodb"] as const))(
  "three servers over %s share the rate of a caller",
  { timeout: 120_000 },
  async (bus) => {
    const database = await createDatabase(await folder());
    const nats = bus === "nats" ? await createNats() : [];
    const addresses = nats.map(({ port }) => `nats://127.0.0.1:${port}`);
    const storage = `mongodb://127.0.0.1:${database.port}/telex`;
    const servers = await createServers({ database: storage, nats: addresses, program: () => inject("newer"), rate });
    const telex = await openOperator(storage);
    try {
      const { id } = await telex.operator.users.add(operator, { nickname: "Alice" });
      const { token } = await telex.operator.tokens.issue(operator, { userId: id, scopes: ["chat"] });
      const begun = Date.now();
      const allowed = await exhaust(
        servers.map(({ port }) => `http://127.0.0.1:${port}`),
        token,
      );
      const given = rate.burst + (rate.perMinute * (Date.now() - begun)) / 60_000;
      process.stdout.write(`  ${bus}: ${allowed} of ${Math.round(given)} calls, ${(allowed / given).toFixed(2)}\n`);
      expect(allowed).toBeGreaterThanOrEqual(rate.burst);
      // Without the bus it is 3. The unit tests of the limiter check the exact bound, which depends on the delay of an event.
      expect(allowed / given).toBeLessThan(2);
    } finally {
      await telex.close();
      await Promise.all([...servers, ...nats, database].map((node) => node.kill()));
    }
  },
);
