// A process that writes to a storage as its parent asks: fork("root-server.ts", [address of the database])
import { createMongoStorage } from "@telex/storage-mongo";
import { type RootLoad, type RootShare, works } from "./root-works.ts";

const [, , database = ""] = process.argv;
const storage = await createMongoStorage({ url: database });

/** Makes one call after another until the time is over. */
async function callUntil(end: number, load: RootLoad, client: number, share: RootShare): Promise<void> {
  const call = works[load.work](storage, load.key, client);
  for (let count = 0; performance.now() < end && count < load.most; count += 1) {
    const begun = performance.now();
    await call().then(
      () => share.took.push(performance.now() - begun),
      () => (share.failed += 1),
    );
  }
}

async function answer(load: RootLoad): Promise<void> {
  const begun = performance.now();
  const share: RootShare = { took: [], failed: 0, time: 0 };
  const clients = Array.from({ length: load.clients }, (_, number) => load.first + number);
  await Promise.all(clients.map((client) => callUntil(begun + load.time, load, client, share)));
  process.send?.({ ...share, time: performance.now() - begun });
}

process.on("message", (load: RootLoad) => void answer(load));
process.on("disconnect", () => void storage.close().finally(() => process.exit(0)));
process.send?.("ready");
