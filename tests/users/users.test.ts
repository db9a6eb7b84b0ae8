import { execFileSync } from "node:child_process";
import { globSync, readFileSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { folder } from "test-support/command";
import { runPerson } from "./person.ts";
import { clone, limit, type Row, runStory } from "./story.ts";

const rows: Row[] = [];

/** The caches of npm and pnpm with which this clone was set up: pnpm refuses a folder that was installed from another store. */
const caches = {
  XDG_DATA_HOME: process.env["XDG_DATA_HOME"] ?? join(homedir(), ".local/share"),
};

/** By default the newcomer's clone is this one, which is built. `TELEX_USERS_CLONE=1`: a new clone, and an empty home folder. */
async function newcomer(): Promise<Record<string, string>> {
  const place = await folder();
  const data = { TELEX_DATA: join(place, "data"), TELEX_PORT: "0" };
  if (process.env["TELEX_USERS_CLONE"] !== "1") return { ...data, ...caches };
  execFileSync("git", ["clone", "--quiet", "--depth", "1", `file://${clone}`, join(place, "clone")]);
  return { ...data, CLONE: join(place, "clone") };
}

/** The packages of this clone, as `npm run packed` makes them, without another set-up and build. */
beforeAll(() => {
  const start = performance.now();
  for (const old of globSync("packed/*.tgz", { cwd: clone })) rmSync(join(clone, old));
  const pack = ["run", "-s", "pnpm", "--", "-r", "--filter", "./packages/*", "pack", "--pack-destination"];
  execFileSync("npm", [...pack, join(clone, "packed")], { cwd: clone, stdio: ["ignore", "ignore", "inherit"] });
  rows.push({ name: "(packing)", commands: 1, seconds: (performance.now() - start) / 1000 });
});

afterAll(() => {
  const lines = rows.map(({ name, commands, seconds }) =>
    [name.padEnd(14), String(commands).padStart(8), seconds.toFixed(1).padStart(8)].join("  "),
  );
  console.log(`\n${"user".padEnd(14)}  commands   seconds\n${lines.join("\n")}`);
});

const read = (name: string): string => readFileSync(join(import.meta.dirname, `${name}.md`), "utf8");

/** Runs a story, and returns its faults. */
async function faultsOf(name: string, more: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const { row, faults } = await runStory(name, read(name), more);
  rows.push(row);
  return faults;
}

// It builds the clone, whose programs the other stories use: it runs alone.
it(
  "within ten minutes and without help: newcomer",
  async () => expect(await faultsOf("newcomer", await newcomer())).toEqual([]),
  limit + 10_000,
);

it.concurrent.each(["operator", "bot-author", "embedder", "device-maker"])(
  "within ten minutes and without help: %s",
  async (name) => expect(await faultsOf(name)).toEqual([]),
  limit + 10_000,
);

it("within ten minutes and without help: person, from an invitation to a picture printed in a room", async () => {
  const { row, poll } = await runPerson();
  rows.push(row);
  // The words, then the picture as text, which has many lines.
  let printed = "";
  await expect.poll(async () => (printed += await poll())).toMatch(/Our lake[\s\S]*(\\n[^"]*){8}/);
}, 120_000);
