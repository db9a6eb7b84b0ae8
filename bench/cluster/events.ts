import { createNatsBus } from "@telex/bus-nats";
import type { Bus, Telex, TokenHolder } from "@telex/core";
import { createTelex, operator } from "@telex/core";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createMemoryStorage } from "@telex/storage-memory";
import { addCaller, addRooms } from "./servers.ts";

/** Counts what a member of a bus receives. */
function counting(bus: Bus) {
  const counts = { received: 0 };
  const counted: Bus = {
    join: (receive) =>
      bus.join((event) => {
        counts.received += 1;
        receive(event);
      }),
  };
  return { counts, counted };
}

async function sayAll(telex: Telex, caller: TokenHolder, rooms: readonly number[]): Promise<void> {
  for (const groupId of rooms) await telex.messages.send(caller, { groupId, groupType: 1, message: "hello" });
}

/** Measures how many events reach a server with listeners of one room, for growing numbers of rooms. */
export async function* measureEvents(nats: string): AsyncGenerator<string> {
  for (const count of [1, 10, 100, 1000]) {
    const storage = { ...createMemoryStorage(), close: () => Promise.resolve() };
    const bus = createNatsBus({ servers: [nats], installation: `rooms-${count}` });
    const { counts, counted } = counting(bus);
    const parts = { storage, blobs: createMemoryBlobs(), images: createSharpEngine() };
    const [here, there] = [await createTelex({ ...parts, bus }), await createTelex({ ...parts, bus: counted })];
    const [ada, bob] = [await addCaller(here, "Ada"), await addCaller(here, "Bob")];
    const rooms = await addRooms(here, [ada.userId], count);
    const [first = 0] = rooms;
    await here.operator.groups.amendMembers(operator, { groupId: first, add: [bob.userId] });
    const last = Promise.withResolvers<void>();
    const connection = { holder: bob, write: () => last.resolve(), close: () => undefined };
    await there.listen(connection, { echo: true, since: null }).ready;
    counts.received = 0;
    await sayAll(here, ada, rooms.toReversed());
    await last.promise;
    yield `${count} rooms, a server with a listener of one of them: ${counts.received} events for ${count} messages`;
    await Promise.all([here.close(), there.close()]);
  }
}
