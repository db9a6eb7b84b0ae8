/**
 * Runs workloads and their limits in turns: `node bench/bench.ts [workload...] [--rounds 7] [--sizes 1000,100000] [--out FILE]
 * [--compare FILE]`. A workload is selected by its name or the first words of its name, such as `"group 10"`; by default, all run. Each
 * round runs every subject on a fresh folder, beginning with a different subject. The program prints the median and the spread of each figure,
 * and of its ratio to the limit in the same round. It exits with 1 only if a result was wrong.
 */
import { readFile, writeFile } from "node:fs/promises";
import { cpus, release, totalmem } from "node:os";
import { parseArgs } from "node:util";
import { type Figure, figureOf } from "./lib/statistics.ts";
import type { Measurement, Subject, Workload } from "./lib/workload.ts";
import { aiWorkloads } from "./workloads/ai.ts";
import { coldWorkloads } from "./workloads/cold.ts";
import { deviceWorkloads } from "./workloads/devices.ts";
import { groupWorkloads } from "./workloads/group.ts";
import { historyWorkloads } from "./workloads/history.ts";
import { httpWorkloads } from "./workloads/http.ts";
import { imageWorkloads } from "./workloads/image.ts";
import { mongoWorkloads } from "./workloads/mongo.ts";
import { queueWorkloads } from "./workloads/queue.ts";
import { roomSearchWorkloads, searchWorkloads } from "./workloads/search.ts";
import { sendWorkloads } from "./workloads/send.ts";
import { startWorkloads } from "./workloads/start.ts";
import { uploadWorkloads } from "./workloads/upload.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "7" },
    sizes: { type: "string", default: "1000,100000,1000000" },
    out: { type: "string" },
    compare: { type: "string" },
  },
});
const sizes = values.sizes.split(",").map(Number);
const all: readonly Workload[] = [
  ...httpWorkloads(),
  ...queueWorkloads(),
  ...deviceWorkloads([1000, 5000]),
  ...historyWorkloads(sizes),
  ...groupWorkloads([10, 200, 1000]),
  ...coldWorkloads([10, 200]),
  ...searchWorkloads(sizes),
  ...roomSearchWorkloads(),
  ...sendWorkloads(),
  ...mongoWorkloads(),
  ...aiWorkloads(),
  ...uploadWorkloads(),
  ...startWorkloads(),
  ...imageWorkloads(),
];
const isChosen = ({ name }: Workload): boolean => positionals.some((words) => `${name} `.startsWith(`${words} `));
const chosen = positionals.length === 0 ? all : all.filter(isChosen);

type Rounds = Map<Subject, Measurement[]>;

async function runRounds({ subjects }: Workload, count: number): Promise<Rounds> {
  const rounds: Rounds = new Map(subjects.map((subject) => [subject, []]));
  for (let round = 0; round < count; round += 1) {
    const order = subjects.map((_, index) => subjects[(index + round) % subjects.length]);
    for (const subject of order) if (subject !== undefined) rounds.get(subject)?.push(await subject.round());
  }
  return rounds;
}

/** The values of each figure of a subject and, if the limit has the figure, the ratios to the limit, round by round. */
function summarise(rounds: Rounds): Record<string, Record<string, { figure: Figure; ratio: Figure | null }>> {
  const [limit] = rounds.keys();
  const base = limit?.name === "limit" ? (rounds.get(limit) ?? []) : [];
  const subjects = [...rounds].map(([subject, measurements]) => {
    const names = Object.keys(measurements[0] ?? {});
    const figures = names.map((name) => {
      const own = measurements.map((one) => one[name] ?? Number.NaN);
      const others = base.map((one) => one[name] ?? Number.NaN);
      const comparable = subject !== limit && others.length > 0 && others.every((value) => !Number.isNaN(value));
      const ratios = own.map((value, index) => value / (others[index] ?? Number.NaN));
      return [name, { figure: figureOf(own), ratio: comparable ? figureOf(ratios) : null }] as const;
    });
    return [subject.name, Object.fromEntries(figures)] as const;
  });
  return Object.fromEntries(subjects);
}

const show = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));

function print(workload: Workload, summary: ReturnType<typeof summarise>): void {
  console.log(`\n${workload.name}: ${workload.about}`);
  for (const [subject, figures] of Object.entries(summary)) {
    for (const [name, { figure, ratio }] of Object.entries(figures)) {
      const own = `${show(figure.median)} ±${(figure.spread * 100).toFixed(0)}%`;
      const compared = ratio === null ? "" : `  ${show(ratio.median)} x limit (±${(ratio.spread * 100).toFixed(0)}%)`;
      console.log(`  ${subject.padEnd(8)} ${name.padEnd(22)} ${own}${compared}`);
    }
  }
}

/** A change is real if the two ranges do not overlap. */
function compare(before: Figure, after: Figure): string | null {
  const [a, b] = [before.all, after.all];
  const apart = Math.min(...b) > Math.max(...a) || Math.max(...b) < Math.min(...a);
  return apart ? `${((after.median / before.median - 1) * 100).toFixed(0)}%` : null;
}

const machine = `${cpus()[0]?.model ?? "unknown"}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}, Node ${process.version}`;
console.log(machine);
const results: Record<string, ReturnType<typeof summarise>> = {};
for (const workload of chosen) {
  const summary = summarise(await runRounds(workload, Number(values.rounds)));
  results[workload.name] = summary;
  print(workload, summary);
}
if (values.out !== undefined) await writeFile(values.out, `${JSON.stringify({ machine, results }, null, 2)}\n`);
/** The real differences from an earlier run. */
function* changes(before: typeof results): Generator<string> {
  for (const [name, subjects] of Object.entries(results)) {
    for (const [figure, { figure: after }] of Object.entries(subjects["telex"] ?? {})) {
      const old = before[name]?.["telex"]?.[figure]?.figure;
      const change = old === undefined ? null : compare(old, after);
      yield change === null ? "" : `changed: ${name}, ${figure}: ${change}`;
    }
  }
}

if (values.compare !== undefined) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what an earlier run has written
  const { results: before } = JSON.parse(await readFile(values.compare, "utf8")) as { results: typeof results };
  for (const line of changes(before)) if (line !== "") console.log(line);
}
