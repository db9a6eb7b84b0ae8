import { withFolder } from "../lib/process.ts";
import { roomLoad } from "../lib/room-load.ts";
import { type RoomServer, startLimit, startTelex } from "../lib/room-servers.ts";
import type { Subject, Workload } from "../lib/workload.ts";
import { xmppLoad } from "../lib/xmpp-load.ts";
import { xmppPackages, xmppPeers, type XmppPeer } from "../peers/xmpp.ts";

/** Enough messages for about a second. */
const totalOf = (members: number, inFlight: number): number =>
  inFlight === 1
    ? Math.max(300, Math.min(2000, Math.round(300_000 / members)))
    : Math.max(600, Math.min(8000, Math.round(600_000 / members)));

interface Shape {
  readonly members: number;
  readonly senders: number;
  readonly inFlight: number;
}

const subject = (
  name: string,
  start: (folder: string) => Promise<RoomServer>,
  { members, senders, inFlight }: Shape,
): Subject => ({
  name,
  round: () =>
    withFolder(async (folder) => {
      const { server, port, groupId, tokens } = await start(folder);
      try {
        const room = {
          tokens: tokens.slice(0, members),
          groupId,
          total: totalOf(members, inFlight),
          senders,
          inFlight,
        };
        const { warm, figures } = await roomLoad(server, port, room);
        return {
          "deliveries/s": warm.count / warm.seconds,
          "ack p50 ms": warm.p50,
          ...(warm.lastP50 === null ? {} : { "last member p50 ms": warm.lastP50 }),
          ...figures,
          "load's share of its core": warm.busy,
        };
      } finally {
        await server.stop();
      }
    }),
});

/** Enough messages for a few seconds on servers that are much slower than the limit. */
const peerTotalOf = (members: number): number => Math.max(40, Math.min(1000, Math.round(40_000 / members)));

const peer = (program: XmppPeer, { members, inFlight }: Shape): Subject => ({
  name: program.name,
  round: () =>
    withFolder(async (folder) => {
      const server = await program.start(folder);
      try {
        let cpu = 0;
        const started = async (): Promise<void> => void (cpu = await server.cpu());
        const load = { members, total: peerTotalOf(members), inFlight, started };
        const { deliveries, seconds, ackP50 } = await xmppLoad(server.port, load);
        const used = (await server.cpu()) - cpu;
        return {
          "deliveries/s": deliveries / seconds,
          "CPU µs/delivery": (used * 1e6) / deliveries,
          "ack p50 ms": ackP50,
        };
      } finally {
        await server.stop();
      }
    }),
});

/** Messages in flight: from many senders, from one that waits for each result, and from one that does not wait. */
const loadsOf = (members: number) => {
  const most = members === 1000 ? 8 : 32;
  return [
    { name: "", senders: Math.min(members, most), inFlight: Math.min(members, most) },
    { name: " single", senders: 1, inFlight: 1 },
    { name: " pipelined", senders: 1, inFlight: most },
  ];
};

/** Messages to a room, each synced to the disk before its result and mirrored to all others. */
export const groupWorkloads = (sizes: readonly number[]): readonly Workload[] =>
  sizes.flatMap((members) =>
    loadsOf(members).map(({ name, senders, inFlight }) => {
      const shape = { members, senders, inFlight };
      const peers = name === " pipelined" ? xmppPeers : [];
      const missing = peers.filter((one) => !one.isInstalled()).map((one) => one.name);
      return {
        name: `group ${members}${name}`,
        about: [
          `a room of ${members}, ${inFlight} in flight, senders: ${senders}`,
          ...(missing.length === 0 ? [] : [`not installed, so not measured: ${missing.join(", ")} (${xmppPackages})`]),
        ].join("; "),
        subjects: [
          subject("limit", startLimit, shape),
          subject("telex", startTelex(members), shape),
          ...peers.filter((one) => one.isInstalled()).map((one) => peer(one, shape)),
        ],
      };
    }),
  );
