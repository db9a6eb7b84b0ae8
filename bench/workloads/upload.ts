import { randomBytes } from "node:crypto";
import { request } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { costOf, type Done } from "../lib/phases.ts";
import { run, type Running, serverCore, withFolder } from "../lib/process.ts";
import type { Measurement, Workload } from "../lib/workload.ts";

const telex = new URL("../servers/telex.ts", import.meta.url).pathname;
const size = 100 * 1024 * 1024;
const boundary = "telex-bench-boundary";

/** A different file each time: the server would not store a known one. */
function* body(): Generator<Buffer> {
  yield Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="big.bin"\r\n\r\n`);
  const block = randomBytes(1 << 18);
  for (let left = size; left > 0; left -= block.length) {
    block.writeUInt32LE(left, 0);
    yield Buffer.from(block.subarray(0, Math.min(left, block.length)));
  }
  yield Buffer.from(`\r\n--${boundary}--\r\n`);
}

async function upload(port: number, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, "content-type": `multipart/form-data; boundary=${boundary}` };
  const outgoing = request({
    port,
    host: "127.0.0.1",
    method: "POST",
    path: "/external/api/v1/bucket/upload",
    headers,
  });
  const answered = new Promise<number>((resolve, reject) => {
    outgoing.on("error", reject).on("response", (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
  });
  await pipeline(Readable.from(body()), outgoing);
  const status = await answered;
  if (status !== 200) throw new Error(`The upload was answered with ${status}`);
}

/** Uploads during the warm-up. Each has some 1,600 chunks. */
const warmUploads = 24;

/** Uploads a file for each of these users simultaneously. `p99` is the slowest upload, in milliseconds. */
async function uploadAll(port: number, tokens: readonly string[]): Promise<Done> {
  const began = performance.now();
  await Promise.all(tokens.map((token) => upload(port, token)));
  return { count: tokens.length, p99: performance.now() - began };
}

const figuresOf = (name: string, { done, cpu }: Awaited<ReturnType<typeof costOf>>): Measurement => ({
  [`${name}MiB/s`]: (done.count * 100) / (done.p99 / 1000),
  [`${name}CPU s/100 MB`]: cpu / 1e6,
});

/** The first uploads of the process, and those after a warm-up. Each has its own user, because one user may store 1 GiB. */
async function measure(server: Running, count: number): Promise<Measurement> {
  const tokens = Array.isArray(server.ready["tokens"]) ? server.ready["tokens"].map(String) : [];
  const uploads = () => uploadAll(Number(server.ready["port"]), tokens.splice(0, count));
  const idle = (await server.memory()).now;
  const cold = await costOf(server, uploads);
  const added = (await server.memory()).peak - idle;
  for (let done = 0; done < warmUploads; done += count) await uploads();
  await server.longestTurn();
  const figures = { ...figuresOf("cold ", cold), ...figuresOf("", await costOf(server, uploads)) };
  const [tick, { peak }] = [await server.longestTurn(), await server.memory()];
  return { "MiB added": added, ...figures, "longest tick ms": tick, "idle MiB": idle, "peak MiB": peak };
}

const round = (count: number) => () =>
  withFolder(async (folder) => {
    const users = String(warmUploads + 2 * count);
    const server = await run(telex, [folder, "--members", users], serverCore);
    try {
      return await measure(server, count);
    } finally {
      await server.stop();
    }
  });

/** Uploads of 100 MB, one alone and eight simultaneously: the memory that they add to the server. */
export const uploadWorkloads = (): readonly Workload[] =>
  [1, 8].map((count) => ({
    name: `upload ${count}`,
    about: `${count} simultaneous uploads of 100 MB: the memory that the first ones add to the server, and the cost of them and of warm ones`,
    subjects: [{ name: "telex", round: round(count) }],
  }));
