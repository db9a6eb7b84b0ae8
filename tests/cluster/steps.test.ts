import { createRandom } from "@telex/conformance/testing";
import { folder } from "test-support/command";
import { sampleOf } from "test-support/every";
import { fc } from "test-support/property";
import { expect, inject, it } from "vitest";
import { createApi } from "../crash/support/api.ts";
import { openOperator } from "./ground.ts";
import {
  addCaller,
  type Caller,
  callOnce,
  type Client,
  createClient,
  createRecords,
  type Records,
} from "./histories.ts";
import { buses } from "./installation.ts";
import { type History, judge } from "./judge.ts";
import { createDatabase, createNats, createServers, type Node } from "./nodes.ts";
import type { Place } from "./run.ts";

const { TELEX_CLUSTER_BUS } = process.env;
const tested = sampleOf(buses.filter((bus) => bus === (TELEX_CLUSTER_BUS ?? bus)));

/** The number of steps. Each kills a process: a server, the database or, if there are any, a node of NATS, in this order. */
const steps = Number(process.env["TELEX_CLUSTER_STEPS"] ?? 3);

/** A call: places in the lists of records, of servers and of clients. */
const call = fc.record({ record: fc.nat(99), server: fc.nat(2), client: fc.nat(5) });
/** The calls that are made while a process is killed, and which one of its kind that is. */
const step = fc.record({ victim: fc.nat(2), calls: fc.array(call, { minLength: 8, maxLength: 24 }) });

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const chosen = <Item>(items: readonly Item[], place: number): Item => {
  const item = items[place % items.length];
  if (item === undefined) throw new Error("A list is empty.");
  return item;
};

async function restart(victim: Node): Promise<void> {
  await victim.kill();
  await victim.start();
}

/** The first four clients are one user, who owns the device and the marker. */
const createClients = (callers: readonly Caller[], seed: number): readonly Client[] =>
  [0, 0, 0, 0, 1, 1].map((caller, number) =>
    createClient(number, chosen(callers, caller), createRandom(seed).fork(number)),
  );

/** Makes the calls of a step, each client one after another, while a process is killed. */
async function play(
  { victim, calls }: Step,
  {
    records: { shared, own, codes },
    clients,
    places,
    victims,
  }: {
    readonly records: Records;
    readonly clients: readonly Client[];
    readonly places: readonly Place[];
    readonly victims: readonly Node[];
  },
): Promise<void> {
  const working = clients.map(async (client, number) => {
    const records = number < 4 ? [...shared, ...own, ...codes] : [...shared, ...codes];
    for (const one of calls.filter((each) => each.client === number))
      await callOnce(client, chosen(records, one.record), chosen(places, one.server));
  });
  await Promise.all([...working, restart(chosen(victims, victim))]);
}

it.each(tested)(
  `one order explains what clients of three servers over %s were answered while each of ${steps} steps killed a process`,
  { timeout: 200_000 + steps * 60_000 },
  async (bus) => {
    const database = await createDatabase(await folder());
    const nats = bus === "nats" ? await createNats() : [];
    const url = `mongodb://127.0.0.1:${database.port}/telex`;
    const addresses = nats.map(({ port }) => `nats://127.0.0.1:${port}`);
    const servers = await createServers({ database: url, nats: addresses, program: () => inject("newer") });
    const telex = await openOperator(url);
    const places = servers.map(({ name, port }): Place => {
      const address = `http://127.0.0.1:${port}`;
      return { name, url: address, api: (token) => createApi(address, token) };
    });
    const kinds: readonly (readonly Node[])[] = [servers, [database], nats].filter(({ length }) => length > 0);
    let round = 0;
    const run = async (seed: number, played: readonly Step[]): Promise<readonly History[]> => {
      const callers = await Promise.all(["Alice", "Bob"].map((name) => addCaller(telex, name)));
      const records = await createRecords(telex, createApi(places[0]?.url ?? "", null), callers, (round += 1));
      const clients = createClients(callers, seed);
      for (const [place, one] of played.entries())
        await play(one, { records, clients, places, victims: chosen(kinds, place) });
      return [...records.shared, ...records.own, ...records.codes].map(({ model, calls }) => ({ model, calls }));
    };
    try {
      const list = fc.array(step, { minLength: steps, maxLength: steps });
      await fc.assert(
        fc.asyncProperty(fc.nat(), list, async (seed, played) => {
          const histories = await run(seed, played);
          const judged = await judge(histories);
          expect(histories.filter((_, place) => judged[place] !== "Ok")).toEqual([]);
        }),
        // A shorter run of a fault would take minutes for each attempt.
        { numRuns: 1, endOnFailure: true },
      );
    } finally {
      await telex.close();
      await Promise.all([...servers, ...nats, database].map((node) => node.kill()));
    }
  },
);
