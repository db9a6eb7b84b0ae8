import { createMongoStorage } from "@telex/storage-mongo";
import { startMongo } from "test-support/mongo";
import { newDatabase } from "../cluster/servers.ts";
import { processAt } from "../cluster/writes.ts";
import { run, serverCore } from "../lib/process.ts";
import type { Subject, Workload } from "../lib/workload.ts";

const at = (path: string): string => new URL(`../${path}`, import.meta.url).pathname;

const subject = (name: string, program: string, inFlight: number): Subject => ({
  name,
  async round() {
    const mongo = await startMongo({ isDurable: true });
    try {
      const url = newDatabase(mongo.url);
      // Both sides have all indexes.
      await (await createMongoStorage({ url })).close();
      const args = [url, String(await processAt(mongo.port)), String(inFlight)];
      const running = await run(program, args, serverCore);
      await running.stop();
      return Object.fromEntries(Object.entries(running.ready).map(([figure, value]) => [figure, Number(value)]));
    } finally {
      await mongo.stop();
    }
  },
});

/** A message with a nonce on the database for tests, compared with the bare driver. */
export const mongoWorkloads = (): readonly Workload[] =>
  [1, 32].map((inFlight) => ({
    name: `mongo ${inFlight}`,
    about: `messages to a room on the database for tests, ${inFlight} in flight, compared with the driver that writes the same documents`,
    subjects: [subject("limit", at("limits/mongo.ts"), inFlight), subject("telex", at("servers/mongo.ts"), inFlight)],
  }));
