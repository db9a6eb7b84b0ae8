import { person } from "@telex/conformance";
import { expect, test } from "vitest";
import { openStorage, temporaryFile } from "./support.ts";

test("a storage below its floor is not ready, but still accepts records", async () => {
  const file = temporaryFile();
  const crowded = await openStorage({ file, floor: Number.MAX_SAFE_INTEGER });
  await expect(crowded.probe()).rejects.toMatchObject({ code: "storage_full" });
  await crowded.users.appendUser(person());
  expect(await crowded.users.findUser(1)).toMatchObject({ nickname: "Ada" });
  await expect((await openStorage({ file, floor: 0 })).probe()).resolves.toBeUndefined();
});
