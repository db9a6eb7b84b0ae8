import { verifySqlite } from "@telex/storage-sqlite";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { serve, telex } from "test-support/command";
import { abilities } from "./support/abilities.ts";
import { allSay, type Calls, createCalls, setStage, tellAll } from "./support/calls.ts";
import { fill, filesBelow, freeze, imageDisk, smallDisk } from "./support/disks.ts";

const mib = 2 ** 20;
/** Larger than the free space that a server needs to be ready. */
const size = 96 * mib;

const refused = (calls: Readonly<Record<string, unknown>>): Record<string, string> => ({
  ...allSay(calls, "503 storage_full, later"),
  sendGroupMessage: "500",
});

const worked = (calls: Readonly<Record<string, unknown>>): Record<string, string> => ({
  ...allSay(calls, "200"),
  sendGroupMessage: "200",
});

const start = (data: string) => serve(["--data", data, "--rate-limits", "off", "--file-floor", "0"]);

/** `/readyz` reports a state that is up to a second old. */
const healthBecomes = async (calls: Pick<Calls, "health">, statuses: readonly number[]): Promise<void> =>
  await expect.poll(() => calls.health(), { timeout: 30_000 }).toEqual(statuses);

describe.each(abilities.smallDisk)("on %s", () => {
  it("that is full, everything that writes is refused and changes nothing, reads go on, and room helps immediately", async () => {
    const disk = await smallDisk(size);
    const stage = await setStage(join(disk, "data"));
    const server = await start(stage.data);
    const calls = await createCalls(server.url, stage);
    await calls.prepare();
    await healthBecomes(calls, [200, 200]);
    const empty = fill(disk);
    // The last page of the log may have room for another change.
    while ((await calls.writes["rename"]?.()) === "200");
    const before = await calls.snapshot();

    expect(await tellAll(calls.writes)).toEqual(refused(calls.writes));
    expect(await tellAll(calls.reads)).toEqual(allSay(calls.reads, "200"));
    await healthBecomes(calls, [200, 503]);
    expect(await calls.snapshot()).toEqual(before);
    // A health check writes a file for a moment.
    await expect.poll(() => filesBelow(join(stage.data, "blobs"))).toHaveLength(1);
    const user = await telex(["user", "add", "carol", "--data", stage.data, "--json"]);
    expect(user).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("storage_full") as unknown });

    empty();
    await healthBecomes(calls, [200, 200]);
    expect(await tellAll(calls.writes)).toEqual(worked(calls.writes));
    expect(await server.stop()).toBe(0);
    expect(verifySqlite({ file: join(stage.data, "telex.db") })).toEqual([]);
  });

  it("that fills while an upload runs, nothing of the upload stays", async () => {
    const disk = await smallDisk(size);
    const stage = await setStage(join(disk, "data"));
    const server = await start(stage.data);
    const body = new FormData();
    body.set("file", new Blob([new Uint8Array(99 * mib)]), "large.bin");
    const headers = { authorization: `Bearer ${stage.alice.token}` };
    const response = await fetch(`${server.url}/external/api/v1/bucket/upload`, { method: "POST", headers, body });
    expect(await response.json()).toMatchObject({ code: 503, data: { error: "storage_full" } });
    expect(filesBelow(join(stage.data, "blobs"))).toEqual([]);
    await healthBecomes(await createCalls(server.url, stage), [200, 200]);
  });
});

describe.each(abilities.imageDisk)("on %s", () => {
  it("that becomes read-only, everything that writes is refused, reads go on, and a new mount has it all", async () => {
    const image = await imageDisk(2 * size);
    const stage = await setStage(join(image.place, "data"));
    const server = await start(stage.data);
    const calls = await createCalls(server.url, stage);
    await calls.prepare();
    await healthBecomes(calls, [200, 200]);
    const before = await calls.snapshot();
    image.breakDown();

    expect(await tellAll(calls.writes)).toEqual(refused(calls.writes));
    expect(await tellAll(calls.reads)).toEqual(allSay(calls.reads, "200"));
    await healthBecomes(calls, [200, 503]);
    expect(await calls.snapshot()).toEqual(before);
    await server.stop();

    const data = join(await image.mountAgain(), "data");
    const again = await createCalls((await start(data)).url, { ...stage, data });
    expect(await again.snapshot()).toEqual(before);
    expect(await tellAll(again.reads)).toEqual(allSay(again.reads, "200"));
  });

  it("on which nothing may be changed for a while, it goes on without a restart", async () => {
    const { place } = await imageDisk(2 * size);
    const stage = await setStage(join(place, "data"));
    const server = await start(stage.data);
    const calls = await createCalls(server.url, stage);
    await calls.prepare();
    const before = await calls.snapshot();
    const thaw = freeze(stage.data);
    try {
      expect(await tellAll(calls.writes)).toEqual({
        ...refused(calls.writes),
        upload: "503 storage_unavailable, later",
        "upload by code": "503 storage_unavailable, later",
      });
      expect(await tellAll(calls.reads)).toEqual(allSay(calls.reads, "200"));
      await healthBecomes(calls, [200, 503]);
      expect(await calls.snapshot()).toEqual(before);
    } finally {
      thaw();
    }
    await healthBecomes(calls, [200, 200]);
    expect(await tellAll(calls.writes)).toEqual(worked(calls.writes));
    expect(await server.stop()).toBe(0);
  });
});
