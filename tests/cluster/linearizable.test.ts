import { setTimeout as delay } from "node:timers/promises";
import { createRandom } from "@telex/conformance/testing";
import { folder } from "test-support/command";
import { sampleOf } from "test-support/every";
import { describe, expect, inject, it } from "vitest";
import { createApi } from "../crash/support/api.ts";
import { openOperator } from "./ground.ts";
import { addCaller, callAll, createRecords, type Target } from "./histories.ts";
import { type Answer, type Call, type History, judge, type Made, type Model } from "./judge.ts";
import { createDatabase, createNats, createServers, type Node, type ServerNode } from "./nodes.ts";

const { TELEX_CLUSTER_SEED, TELEX_CLUSTER_KILLS, TELEX_CLUSTER_BUS } = process.env;
const seed = Number(TELEX_CLUSTER_SEED ?? Math.floor(Math.random() * 2 ** 32));
/** Each round kills a server, the database or a node of NATS, in this order. */
const rounds = Number(TELEX_CLUSTER_KILLS ?? 3);
const buses = ["nats", "mongodb"] as const;
const tested = sampleOf(buses.filter((bus) => bus === (TELEX_CLUSTER_BUS ?? bus)));

const targetOf = ({ name, port }: ServerNode): Target => {
  const url = `http://127.0.0.1:${port}`;
  return { name, url, api: (token) => createApi(url, token), isDown: false };
};

/** Kills a process and starts it again. */
async function kill(victim: Node): Promise<void> {
  await victim.kill();
  await victim.start();
}

/** Kills and restarts a server. Clients do not call it until it is back. */
async function killServer(server: Node, target: Target): Promise<void> {
  await server.kill();
  target.isDown = true;
  await server.start();
  target.isDown = false;
}

/** Calls one after another, each with its answer. */
const inTurn = (model: Model, ...made: readonly (readonly [Call, Answer | null])[]): History => ({
  model,
  calls: made.map(([one, answer], place): Made => ({
    ...one,
    client: 0,
    begun: 2 * place,
    ended: 2 * place + 1,
    answer,
  })),
});

const send = (word: string): Call => ({ do: "send", word });
const read: Call = { do: "read" };
const one = { word: "one", id: 1 };
const two = { word: "two", id: 2 };
const by = (who: string, action: string): Call => ({ do: action, who });

/** Histories that are not linearizable. */
const wrong: readonly (readonly [string, History])[] = [
  ["a message that is lost", inTurn("room", [send("one"), { id: 1 }], [read, { entries: [] }])],
  ["a message that is stored twice", inTurn("room", [send("one"), { id: 1 }], [send("one"), { id: 2 }])],
  ["ids that fall", inTurn("room", [send("one"), { id: 2 }], [send("two"), { id: 1 }])],
  [
    "a text that passes an older one",
    inTurn(
      "queue",
      [send("one"), { id: 1 }],
      [send("two"), { id: 2 }],
      [{ do: "poll", id: 0 }, { entries: [two, one] }],
    ),
  ],
  [
    "a text that comes again after its acknowledgement",
    inTurn(
      "queue",
      [send("one"), { id: 1 }],
      [{ do: "poll", id: 1 }, { entries: [] }],
      [{ do: "poll", id: 0 }, { entries: [one] }],
    ),
  ],
  ["a marker that moves back", inTurn("marker", [{ do: "mark", id: 5 }, { id: 5 }], [read, { id: 4 }])],
  ["a code for two files", inTurn("code", [{ do: "upload", word: "a" }, {}], [{ do: "upload", word: "b" }, {}])],
  ["a device with two owners", inTurn("claim", [by("Alice", "register"), {}], [by("Bob", "register"), {}])],
  [
    "an old name",
    inTurn("name", [{ do: "rename", word: "a" }, {}], [{ do: "rename", word: "b" }, {}], [read, { word: "a" }]),
  ],
];

/** Linearizable histories of the same calls, some with calls whose outcome is unknown. */
const right: readonly History[] = [
  inTurn(
    "room",
    [send("one"), null],
    [read, { entries: [] }],
    [send("two"), { id: 2 }],
    [read, { entries: [one, two] }],
  ),
  inTurn("room", [send("one"), { id: 1 }], [send("one"), { id: 1 }], [read, { entries: [one] }]),
  inTurn(
    "queue",
    [send("one"), { id: 1 }],
    [{ do: "poll", id: 1 }, null],
    [{ do: "poll", id: 0 }, { entries: [one] }],
    [{ do: "poll", id: 0 }, { entries: [] }],
  ),
  inTurn("marker", [{ do: "mark", id: 5 }, null], [read, { id: 0 }], [read, { id: 5 }]),
  inTurn("code", [{ do: "upload", word: "a" }, null], [{ do: "upload", word: "b" }, { error: "code_used" }]),
  inTurn(
    "claim",
    [by("Alice", "register"), {}],
    [by("Bob", "register"), { error: "device_taken" }],
    [by("Alice", "unregister"), null],
    [by("Bob", "register"), {}],
  ),
  inTurn("name", [{ do: "rename", word: "a" }, null], [read, { word: "" }], [read, { word: "a" }]),
];

it("the judge finds what no order of the calls explains, and nothing else", async () => {
  const judged = await judge([...wrong.map(([, history]) => history), ...right]);
  const found = wrong.filter((_, place) => judged[place] === "Illegal").map(([name]) => name);
  expect(found).toEqual(wrong.map(([name]) => name));
  expect(judged.slice(wrong.length)).toEqual(right.map(() => "Ok"));
});

/** Maximum milliseconds until the kill of a round. */
const longestWait = 1500;

describe.each(tested)("over %s", (bus) => {
  it(
    "one order explains what clients of three servers were answered",
    { timeout: 400_000 + rounds * 60_000 },
    async () => {
      const random = createRandom(seed);
      const dataFolder = await folder();
      const database = await createDatabase(dataFolder);
      const nats = bus === "nats" ? await createNats() : [];
      const url = `mongodb://127.0.0.1:${database.port}/telex`;
      const addresses = nats.map(({ port }) => `nats://127.0.0.1:${port}`);
      const servers = await createServers({ database: url, nats: addresses, program: () => inject("newer") });
      const telex = await openOperator(url);
      try {
        const callers = await Promise.all(["Alice", "Bob"].map((name) => addCaller(telex, name)));
        const targets = servers.map(targetOf);
        const histories: History[] = [];
        for (let round = 0; round < rounds; round += 1) {
          const records = await createRecords(telex, createApi(targets[0]?.url ?? "", null), callers, round);
          const choose = <Item>(items: readonly Item[]): Item | undefined =>
            items[Math.floor(random.next() * items.length)];
          const place = Math.floor(random.next() * targets.length);
          const [server, target] = [servers[place], targets[place]];
          const other = round % 3 === 1 ? database : round % 3 === 2 ? choose(nats) : undefined;
          const calling = callAll(records, { targets, callers, random: random.fork(round) });
          await delay(longestWait * random.next());
          if (other !== undefined) await kill(other);
          else if (server !== undefined && target !== undefined) await killServer(server, target);
          histories.push(...(await calling));
        }
        const calls = histories.flatMap((history) => history.calls);
        const unknown = calls.filter(({ answer }) => answer === null).length;
        process.stdout.write(
          `  seed ${seed}: ${calls.length} calls over ${bus}, ${unknown} of them with an unknown outcome\n`,
        );
        const judged = await judge(histories);
        const faults = histories.filter((_, place) => judged[place] !== "Ok");
        expect(faults, `seed ${seed}`).toEqual([]);
        expect(calls.length).toBeGreaterThan(rounds * 100);
      } finally {
        await telex.close();
        await Promise.all([...servers, ...nats, database].map((node) => node.kill()));
      }
    },
  );
});
