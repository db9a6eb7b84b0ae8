/** Signs people in, in its own thread, so that the work of this client does not delay the measured heartbeats. */
import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";
import { atRate } from "./rate.ts";

const { url, origin, names, password, perSecond, seconds } = z
  .object({
    url: z.string(),
    origin: z.string(),
    names: z.array(z.string()),
    password: z.string(),
    perSecond: z.number(),
    seconds: z.number(),
  })
  .parse(workerData);

const counts = { done: 0, refused: 0 };
let next = 0;
await atRate(perSecond, seconds, async () => {
  const response = await fetch(`${url}/external/api/v1/account/signIn`, {
    method: "POST",
    headers: { origin, "content-type": "application/json" },
    body: JSON.stringify({ username: names[(next += 1) % names.length], password }),
  });
  await response.arrayBuffer();
  if (response.status !== 200 && response.status !== 503) throw new Error(`A sign-in: ${response.status}.`);
  counts[response.status === 200 ? "done" : "refused"] += 1;
});
parentPort?.postMessage(counts);
