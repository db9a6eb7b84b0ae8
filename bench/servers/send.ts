/**
 * Sends messages in this process, in turns to two instances on SQLite, one with and one without an index for the search:
 * `node bench/servers/send.ts <folder> <in flight>`. Prints one line of JSON: the figures of the first sends and of warm ones, the median CPU
 * time of a send on both sides, and the ratio.
 */
import { createFsBlobs } from "@telex/blobs/fs";
import { type Caller, createTelex, operator, type Telex } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createSqliteStorage } from "@telex/storage-sqlite";
import { chatText } from "../lib/chat-texts.ts";
import { coldRequests, costOf, measurePhases } from "../lib/phases.ts";
import { createSelf } from "../lib/self.ts";
import { median, percentile } from "../lib/statistics.ts";
import { warmRequests } from "../lib/workload.ts";

const [folder = ".", inFlight = "1"] = process.argv.slice(2);
const images = createSharpEngine();
const turns = 14;
const perTurn = 384;
/** Sends in flight during the warm-up, so that it takes less time. */
const warmInFlight = 32;

/** An instance with a room, and its figures in the turns. */
interface Side {
  readonly telex: Telex;
  readonly caller: Caller;
  readonly groupId: number;
  /** CPU µs of a send in each turn. */
  readonly costs: number[];
  /** Milliseconds of each send. */
  readonly times: number[];
}

async function addRoom(telex: Telex): Promise<Pick<Side, "caller" | "groupId">> {
  const members: number[] = [];
  for (let index = 0; index < 10; index += 1) {
    members.push((await telex.operator.users.add(operator, { nickname: `用户 ${index}` })).id);
  }
  const { groupId } = await telex.operator.groups.add(operator, { groupType: 1, name: "房间", members });
  const [userId = 0] = members;
  const { token } = await telex.operator.tokens.issue(operator, { userId, scopes: ["chat"] });
  return { groupId, caller: await telex.authenticate(token) };
}

async function createSide(name: string, isIndexed: boolean): Promise<Side> {
  const storage = await createSqliteStorage({ file: `${folder}/${name}.db` });
  if (!isIndexed) storage.messages.listUnindexed = () => Promise.resolve([]);
  const telex = await createTelex({ storage, blobs: createFsBlobs({ directory: `${folder}/${name}` }), images });
  return { telex, ...(await addRoom(telex)), costs: [], times: [] };
}

/** Sends messages, `together` of them at a time, and waits for their work in the background. Returns the milliseconds of each. */
async function send({ telex, caller, groupId }: Side, count: number, together: number): Promise<readonly number[]> {
  const times: number[] = [];
  let sent = 0;
  const sendNext = async (): Promise<void> => {
    while (sent < count) {
      sent += 1;
      const begun = performance.now();
      await telex.messages.send(caller, { groupId, groupType: 1, message: chatText(sent) });
      times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: together }, sendNext));
  await new Promise((resolve) => setTimeout(resolve, 100));
  return times;
}

const doneOf = (times: readonly number[]) => ({ count: times.length, p99: percentile(times, 0.99), times });

const self = createSelf();

async function runTurn(side: Side): Promise<void> {
  const { done, cpu } = await costOf(self, async () => doneOf(await send(side, perTurn, Number(inFlight))));
  side.costs.push(cpu);
  side.times.push(...done.times);
}

const indexed = await createSide("with", true);
const unindexed = await createSide("without", false);
const sides = [indexed, unindexed];
const { figures } = await measurePhases(self, {
  unit: "send",
  cold: async () => doneOf(await send(indexed, coldRequests, Number(inFlight))),
  async warmUp() {
    for (const side of sides) await send(side, warmRequests / 2, warmInFlight);
  },
  async warm() {
    for (let turn = 0; turn < turns; turn += 1) {
      for (const side of turn % 2 === 0 ? sides : sides.toReversed()) await runTurn(side);
    }
    return doneOf(sides.flatMap(({ times }) => times));
  },
});
process.stdout.write(
  `${JSON.stringify({
    ...figures,
    "CPU µs/send": median(indexed.costs),
    "CPU µs/send, no index": median(unindexed.costs),
    ratio: median(indexed.costs.map((cost, turn) => cost / (unindexed.costs[turn] ?? Number.NaN))),
    "p99 ms": percentile(indexed.times, 0.99),
    "p99 ms, no index": percentile(unindexed.times, 0.99),
  })}\n`,
);
process.exit(0);
