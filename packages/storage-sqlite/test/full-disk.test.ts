import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { verifySqlite } from "../src/index.ts";
import { roomMessage } from "./messages.ts";
import { mountingWorks, openStorage, smallDisk } from "./support.ts";

const mib = 2 ** 20;
// Where nothing can be mounted, a full disk is tried on the limit of SQLite, in `group-commit.test.ts`.
const disks = mountingWorks() ? [2 * mib] : [];

it.each(disks)("on a full disk of %i bytes nothing is stored, reads go on, and room helps", async (size) => {
  const folder = smallDisk(size);
  const file = join(folder, "telex.db");
  const storage = await openStorage({ file, exclusive: true });
  await storage.messages.append(roomMessage(1, "before"));
  const ballast = join(folder, "ballast");
  writeFileSync(ballast, Buffer.alloc(mib));

  const stored = await fillUp(async (count) => storage.messages.append(roomMessage(1, `${count} `.repeat(500))));
  const page = await storage.messages.page({ groupId: 1, before: null, limit: 10_000 });
  expect(page.messages).toHaveLength(stored + 1);
  expect(page.messages.at(-1)?.content).toBe("before");
  await expect(storage.messages.append(roomMessage(1, "x".repeat(mib)))).rejects.toMatchObject({
    code: "storage_full",
  });

  rmSync(ballast);
  await storage.messages.append(roomMessage(1, "after"));
  await storage.probe();
  await storage.close();
  expect(verifySqlite({ file })).toEqual([]);
  const again = await openStorage({ file, exclusive: true });
  const last = await again.messages.page({ groupId: 1, before: null, limit: 1 });
  expect(last).toMatchObject({ older: stored + 1, messages: [{ content: "after" }] });
});

/** Repeats a write until it fails, and answers how often it worked. */
async function fillUp(write: (count: number) => Promise<unknown>): Promise<number> {
  let count = 0;
  const full = (async () => {
    for (;;) {
      await write(count);
      count += 1;
    }
  })();
  await expect(full).rejects.toMatchObject({ code: "storage_full" });
  return count;
}
