import { load, requestBytes } from "../lib/http-load.ts";
import { coldRequests, costOf, measurePhases } from "../lib/phases.ts";
import { type Running, run, serverCore, withFolder } from "../lib/process.ts";
import { type Measurement, warmRequests, type Workload } from "../lib/workload.ts";

const requests = 3000;

/** The newest page, and the deepest one on the server that the newest page has warmed up. */
async function measure(server: Running, newest: Buffer, deepest: Buffer): Promise<Measurement> {
  const port = Number(server.ready["port"]);
  const ask = (page: Buffer, connections: number, total: number) =>
    load(port, { connections, total, next: () => page });
  const { warm, figures } = await measurePhases(server, {
    unit: "page",
    cold: () => ask(newest, 1, coldRequests),
    warmUp: () => ask(newest, 8, warmRequests / 2),
    warm: () => ask(newest, 1, requests),
  });
  const crowd = await costOf(server, () => ask(newest, 32, requests));
  await ask(deepest, 8, warmRequests / 2);
  const deep = await costOf(server, () => ask(deepest, 1, requests));
  return {
    "newest p50 ms": warm.p50,
    ...figures,
    "deepest p50 ms": deep.done.p50,
    "deepest p99 ms": deep.done.p99,
    "deepest CPU µs/page": deep.cpu,
    "32 connections, CPU µs/page": crowd.cpu,
    "32 connections, p99 ms": crowd.done.p99,
    "longest tick ms": Math.max(figures["longest tick ms"] ?? 0, await server.longestTurn()),
    "peak MiB": (await server.memory()).peak,
  };
}

const telex = new URL("../servers/telex.ts", import.meta.url).pathname;
const limit = new URL("../limits/history.ts", import.meta.url).pathname;

const measured =
  (
    program: string,
    args: (folder: string) => readonly string[],
    pages: (server: Running) => readonly [Buffer, Buffer],
  ) =>
  () =>
    withFolder(async (folder) => {
      const server = await run(program, args(folder), serverCore);
      try {
        const [newest, deepest] = pages(server);
        return await measure(server, newest, deepest);
      } finally {
        await server.stop();
      }
    });

/** A page of ten messages at both ends of a room, one request at a time, and the newest one over 32 connections. */
export const historyWorkloads = (sizes: readonly number[]): readonly Workload[] =>
  sizes.map((size) => ({
    name: `history ${size}`,
    about: `a page of 10 at both ends of a room of ${size} messages`,
    subjects: [
      {
        name: "limit",
        round: measured(
          limit,
          (folder) => [folder, String(size)],
          () => [requestBytes("GET", `/?top=${size}`, ""), requestBytes("GET", "/?top=10", "")],
        ),
      },
      {
        name: "telex",
        round: measured(
          telex,
          (folder) => [folder, "--messages", String(size)],
          ({ ready }) => {
            const token = Array.isArray(ready["tokens"]) ? String(ready["tokens"][0]) : "";
            const path = `/external/api/v1/im/getMessage?access_token=${token}&groupId=${Number(ready["groupId"])}&groupType=1`;
            return [requestBytes("GET", path, token), requestBytes("GET", `${path}&cursor=11`, token)];
          },
        ),
      },
    ],
  }));
