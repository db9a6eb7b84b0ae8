/** Writes the figures of `bench/results/` into the table of `bench/README.md`: `node bench/table.ts`. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { z } from "zod";

const figure = z.object({ median: z.number(), all: z.array(z.number()) });
const subject = z.record(z.string(), z.object({ figure, ratio: figure.nullable() }));
const report = z.object({ machine: z.string(), results: z.record(z.string(), z.record(z.string(), subject)) });

const show = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString("en") : Number(value.toPrecision(3)).toString();

type Row = readonly string[];

function rowsOf(workload: string, subjects: z.output<typeof report>["results"][string]): Row[] {
  const { limit, ...others } = subjects;
  return Object.entries(others).flatMap(([name, figures]) =>
    Object.entries(figures).map(([what, { figure: own, ratio }]) => {
      const base = limit?.[what]?.figure.median;
      const range =
        ratio === null
          ? "-"
          : `${ratio.median.toFixed(2)} (${Math.min(...ratio.all).toFixed(2)}-${Math.max(...ratio.all).toFixed(2)})`;
      const who = name === "telex" ? "Telex" : name;
      return [workload, what, base === undefined ? "-" : show(base), who, show(own.median), range];
    }),
  );
}

const line = (row: Row): string => `| ${row.join(" | ")} |`;

const folder = new URL("results/", import.meta.url);
const reports = await Promise.all(
  (await readdir(folder))
    .toSorted()
    .map(async (name) => report.parse(JSON.parse(await readFile(new URL(name, folder), "utf8")))),
);
const head = ["workload", "figure", "limit", "subject", "median", "ratio to the limit (range)"];
const rows = reports.flatMap(({ results }) => Object.entries(results).flatMap(([name, all]) => rowsOf(name, all)));
const table = [head, head.map(() => "---"), ...rows].map(line).join("\n");

const page = new URL("README.md", import.meta.url);
const text = await readFile(page, "utf8");
await writeFile(page, text.replace(/^\| workload[^]*?\n(?!\|)/mu, `${table}\n`));
