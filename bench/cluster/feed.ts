import { setTimeout as delay } from "node:timers/promises";
import { operator, type Telex } from "@telex/core";
import { createMongoBus } from "@telex/storage-mongo";
import type { MongoServer } from "test-support/mongo";
import { cpuOf } from "../lib/process.ts";
import { newDatabase, startServer } from "./servers.ts";
import { processAt } from "./writes.ts";

const sizes = [1, 10] as const;
/** Milliseconds without a change. */
const idleTime = 10_000;
/** Changes of users, which all servers read. */
const changes = 200;

/** CPU milliseconds of the database while `run` runs. */
async function cpuDuring(database: number, run: () => Promise<unknown>): Promise<number> {
  const before = await cpuOf(database);
  await run();
  return ((await cpuOf(database)) - before) * 1000;
}

async function addUsers(telex: Telex): Promise<void> {
  for (let number = 0; number < changes; number += 1)
    await telex.operator.users.add(operator, { nickname: `user ${number}` });
}

/** Measures the load of the change feed and of change streams on the database, with one server and with ten. */
export async function* measureFeed(mongo: MongoServer): AsyncGenerator<string> {
  const database = await processAt(mongo.port);
  for (const size of sizes) {
    const url = newDatabase(mongo.url);
    const bus = ({ connection }: Parameters<NonNullable<Parameters<typeof startServer>[1]>>[0]) =>
      createMongoBus(connection);
    const servers: Telex[] = [];
    for (let place = 0; place < size; place += 1) servers.push(await startServer(url, bus));
    const [first] = servers;
    if (first === undefined) continue;
    const idle = (await cpuDuring(database, () => delay(idleTime))) / (idleTime / 1000);
    const begun = performance.now();
    const busy = await cpuDuring(database, () => addUsers(first));
    const seconds = (performance.now() - begun) / 1000;
    const ofChange = (busy - idle * seconds) / changes;
    yield `${size} servers: the database uses ${idle.toFixed(0)} ms of CPU a second when nothing happens, and ${ofChange.toFixed(1)} ms for a change`;
    for (const server of servers) await server.close();
  }
}
