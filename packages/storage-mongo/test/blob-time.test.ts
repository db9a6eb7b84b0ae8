import type { ByteStream } from "@telex/core/storage";
import { expect, it } from "vitest";
import { createMongoBlobs, createMongoStorage } from "../src/index.ts";
import { again } from "./support/again.ts";
import { openStorage } from "./support/database.ts";
import { openNetwork } from "./support/proxy.ts";
import { noteSockets } from "./support/sockets.ts";

const blobId = "0".repeat(32);
const piece = new Uint8Array(2 ** 19).fill(7);

/** A blob store whose database may take a second for a command. The database is created before, because that takes longer. */
async function openHasty() {
  const network = await openNetwork();
  const patient = await createMongoStorage({ url: network.url });
  await patient.close();
  const sockets = noteSockets();
  const { connection } = await openStorage({ url: network.url, timeout: 1000 });
  const blobs = createMongoBlobs(connection);
  const ways = { hold: network.hold, close: () => sockets.forEach((socket) => socket.destroy()) };
  return { blobs, restore: network.restore, ways };
}

/** Two pieces; before the second one, something happens. */
async function* piecesAround(happen: () => void): ByteStream {
  yield piece;
  happen();
  yield piece;
}

async function sizeOf(bytes: ByteStream | null): Promise<number> {
  let size = 0;
  for await (const chunk of bytes ?? []) size += chunk.length;
  return size;
}

const unavailable = { code: "storage_unavailable" };

/** Both pieces without an event. */
const pieces = (): ByteStream => piecesAround(() => undefined);

// The driver notices a closed socket one phase of the event loop later. Commands that it writes until then are never answered.
it.each(["hold", "close"] as const)(
  "when the network of the database fails (%s), an upload in progress ends, and the same one succeeds later",
  async (how) => {
    const { blobs, ways, restore } = await openHasty();
    await blobs.probe();
    await expect(blobs.put(blobId, piecesAround(ways[how]))).rejects.toMatchObject(unavailable);
    restore();
    await again(() => blobs.put(blobId, pieces()));
    expect(await sizeOf(await blobs.open(blobId))).toBe(2 * piece.length);
  },
);

it("a download ends when the driver waits for a socket that is closed", async () => {
  const { blobs, ways } = await openHasty();
  await blobs.put(blobId, pieces());
  const bytes = await blobs.open(blobId);
  ways.close();
  await expect(sizeOf(bytes)).rejects.toMatchObject(unavailable);
});
