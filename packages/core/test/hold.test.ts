import { createMemoryStorage } from "@telex/storage-memory";
import { expect, it } from "vitest";
import { intercept } from "../conformance/index.ts";
import { TelexError } from "../src/index.ts";
import { defaultLimits } from "../src/instance/limits.ts";
import { createHold } from "../src/teleprinter/hold.ts";
import { createManualClock } from "../src/testing/index.ts";
import { createKit } from "./kit.ts";

const deviceId = "printer";

it("tells what was marked as delivered, although the rest could not be", async () => {
  const clock = createManualClock();
  const memory = createMemoryStorage({ clock });
  const failing: string[] = [];
  const own = intercept(memory, ({ verb, run }) => {
    const [fate] = failing;
    if (fate?.startsWith(verb) !== true) return run();
    failing.shift();
    return fate.endsWith("fails") ? Promise.reject(new TelexError("storage_unavailable")) : run();
  });
  const storage = { ...memory, ...own };
  const kit = await createKit({ clock, storage });
  await kit.telex.teleprinter.register(kit.alice, { deviceId, name: "Printer" });
  const send = async (content: string): Promise<number> =>
    (await kit.telex.teleprinter.send(kit.alice, { deviceId, content })).id;
  const owner = kit.alice.kind === "token" ? kit.alice.userId : 0;
  const hold = createHold({ store: storage.teleprinter, clock, limits: defaultLimits }, { deviceId, owner });
  const first = await send("first");
  await hold.take();
  failing.push("deliver fails");
  const told: number[] = [];
  const deliver = (ids: readonly number[]): Promise<void> => hold.deliver(ids, (marked) => void told.push(...marked));
  await expect(deliver([first])).rejects.toThrow("storage_unavailable");
  // After a take that failed, it takes in another name.
  failing.push("take fails");
  await expect(hold.take()).rejects.toThrow("storage_unavailable");
  const second = await send("second");
  expect((await hold.take()).map(({ id }) => id)).toEqual([second]);
  failing.push("deliver passes", "deliver fails");
  await expect(deliver([second])).rejects.toThrow("storage_unavailable");
  expect(told).toEqual([first]);
  await deliver([]);
  expect(told).toEqual([first, second]);
});
