import { costOf } from "../lib/phases.ts";
import { withFolder } from "../lib/process.ts";
import { openRoom } from "../lib/room-load.ts";
import { type RoomServer, startLimit, startTelex } from "../lib/room-servers.ts";
import type { Subject, Workload } from "../lib/workload.ts";

/** Messages of about ten seconds of the limit. */
const totalOf = (members: number): number => Math.round(300_000 / (members + 2));

const subject = (name: string, members: number, start: (folder: string) => Promise<RoomServer>): Subject => ({
  name,
  round: () =>
    withFolder(async (folder) => {
      const { server, port, groupId, tokens } = await start(folder);
      try {
        const idle = (await server.memory()).now;
        const room = await openRoom(port, tokens.slice(0, members), groupId);
        const load = { total: totalOf(members), senders: 1, inFlight: 32 };
        const { done, cpu } = await costOf(server, () => room.burst(load));
        room.close();
        return {
          "deliveries/s": done.count / done.seconds,
          "CPU µs/delivery": cpu,
          "ack p50 ms": done.p50,
          "ack p99 ms": done.p99,
          "idle MiB": idle,
          "peak MiB": (await server.memory()).peak,
        };
      } finally {
        await server.stop();
      }
    }),
});

/** The first messages to a room of `telex serve`: one sender with 32 in flight, on a server that has just started. */
export const coldWorkloads = (sizes: readonly number[]): readonly Workload[] =>
  sizes.map((members) => ({
    name: `cold ${members}`,
    about: `the first ${totalOf(members)} messages to a room of ${members} in a fresh process of telex serve`,
    subjects: [
      subject("limit", members, startLimit),
      subject("telex", members, startTelex(members)),
      subject("small", members, startTelex(members, ["--memory", "small"])),
    ],
  }));
