import { randomBytes } from "node:crypto";
import { request } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { run, serverCore, withFolder } from "../lib/process.ts";
import type { Workload } from "../lib/workload.ts";

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

/** Uploads of 100 MB, one alone and eight simultaneously: the memory that they add to the server. */
export const uploadWorkloads = (): readonly Workload[] =>
  [1, 8].map((count) => ({
    name: `upload ${count}`,
    about: `${count} simultaneous uploads of 100 MB: memory added, over that of the server before`,
    subjects: [
      {
        name: "telex",
        round: () =>
          withFolder(async (folder) => {
            const server = await run(telex, [folder], serverCore);
            try {
              const port = Number(server.ready["port"]);
              const token = Array.isArray(server.ready["tokens"]) ? String(server.ready["tokens"][0]) : "";
              const before = await server.memory();
              const cpu = await server.cpu();
              const began = performance.now();
              await Promise.all(Array.from({ length: count }, () => upload(port, token)));
              const seconds = (performance.now() - began) / 1000;
              const after = await server.memory();
              return {
                "MiB added": after.peak - before.now,
                "MiB/s": (count * 100) / seconds,
                "CPU s/100 MB": ((await server.cpu()) - cpu) / count,
              };
            } finally {
              await server.stop();
            }
          }),
      },
    ],
  }));
