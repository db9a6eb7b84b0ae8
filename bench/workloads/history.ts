import { load, requestBytes } from "../lib/http-load.ts";
import { type Running, run, serverCore, withFolder } from "../lib/process.ts";
import { type Measurement, warmRequests, type Workload } from "../lib/workload.ts";

const requests = 3000;

async function measure(server: Running, newest: Buffer, deepest: Buffer): Promise<Measurement> {
  const port = Number(server.ready["port"]);
  const times: Record<string, number> = {};
  for (const [name, bytes] of [
    ["newest", newest],
    ["deepest", deepest],
  ] as const) {
    await load(port, { connections: 8, total: warmRequests / 2, next: () => bytes });
    await server.longestTurn();
    const { p50, p99 } = await load(port, { connections: 1, total: requests, next: () => bytes });
    times[`${name} p50 ms`] = p50;
    times[`${name} p99 ms`] = p99;
    times["longest tick ms"] = Math.max(times["longest tick ms"] ?? 0, await server.longestTurn());
  }
  return times;
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

/** A page of ten messages at both ends of a room, one request at a time. */
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
