import type { Implementation } from "@telex/ground/contract";
import { TelexError } from "@telex/ground/errors";
import { second, type Clock } from "@telex/ground/time";
import type { RecordStore } from "../transfer/store.ts";
import type { ServerContract } from "./contract.ts";
import type { Figures } from "../observe/figures.ts";
import type { ToolServerState } from "../records/tool-use.ts";
import type { RemoteDrains } from "./remote-drains.ts";

interface ServerDeps {
  readonly storage: {
    readonly records: Pick<RecordStore, "count">;
    readonly teleprinter: { readonly countQueued: () => Promise<number> };
  };
  readonly clock: Clock;
  readonly serverName: string;
  readonly figures: () => Figures;
  readonly drains: Pick<RemoteDrains, "begin">;
  readonly toolServers: () => readonly ToolServerState[];
}

const storedKinds = ["users", "groups", "devices", "files"] as const;

async function countStored({ records, teleprinter }: ServerDeps["storage"]) {
  const [queued, ...counts] = await Promise.all([
    teleprinter.countQueued(),
    ...storedKinds.map((kind) => records.count(kind)),
  ]);
  const [users = 0, groups = 0, devices = 0, files = 0] = counts;
  return { users, groups, devices, files, queued };
}

function readProcess() {
  const { user, system } = process.cpuUsage();
  const { active, idle } = performance.eventLoopUtilization();
  const { rss, heapUsed } = process.memoryUsage();
  const { pid, version: node } = process;
  return { pid, node, cpuMs: (user + system) / 1000, loopActiveMs: active, loopIdleMs: idle, rss, heapUsed };
}

export function createServerOperator({
  storage,
  clock,
  serverName,
  figures,
  drains,
  toolServers,
}: ServerDeps): Implementation<ServerContract> {
  const startedAt = clock.now();
  return {
    status: async () => ({
      server: serverName,
      startedAt,
      now: clock.now(),
      ...figures(),
      tools: [...toolServers()],
      stored: await countStored(storage),
      process: readProcess(),
    }),
    async drain(_caller, { server = serverName, seconds }) {
      if (await drains.begin(server, seconds * second)) return { server };
      throw new TelexError("not_found", { reason: "server_unknown", params: { server } });
    },
  };
}
