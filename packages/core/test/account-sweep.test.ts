import { createMemoryBlobs } from "@telex/blobs/memory";
import { intercept } from "@telex/conformance";
import { createManualClock, ticks } from "@telex/conformance/testing";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createMemoryStorage } from "@telex/storage-memory";
import { fillAccounts } from "test-support/accounts";
import { expect, it } from "vitest";
import { createTelex } from "../src/index.ts";
import { createKit } from "./kit.ts";

const interval = 15 * 60_000;

/** Two servers on one storage with 500 invitations that expire before the first sweep. */
async function createServers(failing = false) {
  const clock = createManualClock();
  const memory = createMemoryStorage({ clock });
  const swept: number[] = [];
  const verbs = new Set<string>();
  const watched = intercept(memory, async ({ verb, run }) => {
    if (failing && verb === "sweepGrants") throw new Error("The storage is away.");
    verbs.add(verb);
    const outcome = await run();
    if (verb === "sweepAccounts") swept.push(Number(outcome));
    return outcome;
  });
  const storage = { ...memory, ...watched };
  await fillAccounts(memory);
  const until = clock.now() + 1000;
  for (let count = 0; count < 500; count += 1) {
    const names = { linkId: `l${count}`, digest: `d${count}`, kind: "invitation", makerId: 1, slot: null } as const;
    await memory.accounts.issueLink({ ...names, data: "{}", uses: 1, createdAt: clock.now(), until }, 1000);
  }
  const kit = await createKit({ clock, storage });
  await createTelex({ storage, blobs: createMemoryBlobs({ clock }), images: createSharpEngine(), clock });
  return { ...kit, memory, swept, verbs };
}

const linksOf = async ({ memory }: Awaited<ReturnType<typeof createServers>>): Promise<number> =>
  (await memory.accounts.listLinks({ kind: "invitation", after: "", limit: 1000 })).length;

it("links that have ended are deleted in batches, by one of two servers, and living ones stay", async () => {
  const servers = await createServers();
  expect(await linksOf(servers)).toBe(501);
  await servers.clock.advance(interval);
  await ticks();
  expect(await linksOf(servers)).toBe(1);
  expect(servers.swept).toEqual([200, 200, 100, 0]);
});

it("a sweep of accounts that fails is reported, and files are swept all the same", async () => {
  const { clock, lines, verbs } = await createServers(true);
  await clock.advance(interval);
  await ticks();
  expect(lines.map((line) => line.split(" ")[1])).toEqual(["accounts.sweep_failed"]);
  expect(verbs).toContain("takeExpiredFiles");
});
