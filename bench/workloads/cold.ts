import { run, type Running, serverCore, withFolder } from "../lib/process.ts";
import { openRoom } from "../lib/room-load.ts";
import type { Subject, Workload } from "../lib/workload.ts";

const at = (path: string): string => new URL(`../${path}`, import.meta.url).pathname;

const prepare = at("servers/telex.ts");
const limit = at("limits/group.ts");
const command = at("../packages/cli/bin/telex.cjs");

/** A server that has just started, with a room. */
interface Fresh {
  readonly server: Running;
  readonly port: number;
  readonly groupId: number;
  readonly tokens: readonly string[];
}

const textsOf = (list: unknown): readonly string[] => (Array.isArray(list) ? list.map(String) : []);

async function startLimit(folder: string): Promise<Fresh> {
  const server = await run(limit, [folder], serverCore);
  const { port, groupId, tokens } = server.ready;
  return { server, port: Number(port), groupId: Number(groupId), tokens: textsOf(tokens) };
}

/** The command as users start it, on a folder that another process has prepared. */
const startTelex =
  (members: number, flags: readonly string[]) =>
  async (folder: string): Promise<Fresh> => {
    const prepared = await run(prepare, [folder, "--members", String(members)], serverCore);
    await prepared.stop();
    const { groupId, tokens } = prepared.ready;
    const args = ["serve", "--port", "0", "--rate-limits", "off", "--data", folder, ...flags];
    const server = await run(command, args, serverCore);
    const port = Number(/:(\d+)$/.exec(String(server.ready["text"]))?.[1]);
    return { server, port, groupId: Number(groupId), tokens: textsOf(tokens) };
  };

/** Messages of about ten seconds of the limit. */
const totalOf = (members: number): number => Math.round(300_000 / (members + 2));

const subject = (name: string, members: number, start: (folder: string) => Promise<Fresh>): Subject => ({
  name,
  round: () =>
    withFolder(async (folder) => {
      const { server, port, groupId, tokens } = await start(folder);
      try {
        const idle = (await server.memory()).now;
        const room = await openRoom(port, tokens.slice(0, members), groupId);
        const before = await server.cpu();
        const { deliveries, seconds, ackP50, ackP99 } = await room.burst({
          total: totalOf(members),
          senders: 1,
          inFlight: 32,
        });
        const used = (await server.cpu()) - before;
        room.close();
        return {
          "deliveries/s": deliveries / seconds,
          "CPU µs/delivery": (used * 1e6) / deliveries,
          "ack p50 ms": ackP50,
          "ack p99 ms": ackP99,
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
      subject("telex", members, startTelex(members, [])),
      subject("small", members, startTelex(members, ["--memory", "small"])),
    ],
  }));
