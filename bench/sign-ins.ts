/**
 * Measures heartbeats of a device during sign-ins with a password: `node bench/sign-ins.ts [--seconds 10] [--rounds 5] [--heartbeats 100]`,
 * after `npm run build`. Each round has no sign-ins, 10 and 50 a second, beginning with a different number each time. Separate threads send
 * heartbeats and sign-ins at random times, without waiting for earlier ones. Prints the medians and ranges: p99, its ratio to the same round
 * without sign-ins, and how long the thread of the event loop ran and waited for a processor. Needs Linux.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { z } from "zod";
import { atRate } from "./lib/rate.ts";
import { median, percentile } from "./lib/statistics.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "10" },
    rounds: { type: "string", default: "5" },
    heartbeats: { type: "string", default: "100" },
  },
});
const seconds = Number(values.seconds);
const heartbeats = Number(values.heartbeats);

const launcher = fileURLToPath(new URL("../packages/cli/bin/telex.cjs", import.meta.url));
const folder = await mkdtemp(join(tmpdir(), "telex-sign-ins-"));
const options = ["--port", "0", "--json", "--rate-limits", "off", "--server-id", "one"];
const server = spawn(process.execPath, [launcher, "serve", ...options], {
  cwd: folder,
  stdio: ["ignore", "pipe", "ignore"],
});
const [printed] = z.tuple([z.instanceof(Buffer)]).parse(await once(server.stdout, "data"));
const { url } = z.object({ url: z.string() }).parse(JSON.parse(printed.toString()));
const origin = url.replace("127.0.0.1", "localhost");

/** Calls the server as its page does. */
async function call(path: string, body: object, cookie = ""): Promise<Response> {
  const headers = { origin, "content-type": "application/json", cookie };
  return await fetch(`${url}/external/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

const password = "a password of the bench";
const link = await readFile(join(folder, "telex-data", "setup-one.link"), "utf8");
const opened = await call("/account/setup", { secret: link.trim().split("#")[1], username: "admin", password });
const cookie = opened.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
await call("/teleprinter/register", { deviceId: "bench", name: "Bench" }, cookie);
const issued = z.object({ data: z.object({ token: z.string() }) });
const { token } = issued.parse(await (await call("/tokens", { scopes: ["chat"] }, cookie)).json()).data;

const invited = z.object({ data: z.object({ url: z.string() }) });
const invitation = invited.parse(await (await call("/admin/invitations", { uses: 30 }, cookie)).json()).data.url;
/** Several people, because the server blocks ten unanswered sign-ins of one person as guesses. */
const names = Array.from({ length: 30 }, (_, index) => `person${index}`);
for (const username of names) await call("/account/join", { secret: invitation.split("#")[1], username, password });

/** Signs people in from another thread. Returns the number of successes, and of refusals because too many sign-ins waited. */
async function signIn(perSecond: number): Promise<{ readonly done: number; readonly refused: number }> {
  const workerData = { url, origin, names, password, perSecond, seconds };
  const worker = new Worker(new URL("./lib/sign-in-load.ts", import.meta.url), { workerData });
  const [counts] = z.tuple([z.object({ done: z.number(), refused: z.number() })]).parse(await once(worker, "message"));
  return counts;
}

/** Milliseconds for which the thread of the event loop has run, and for which it has waited for a processor. */
async function threadTimes(): Promise<readonly [ran: number, waited: number]> {
  const [ran = "", waited = ""] = (await readFile(`/proc/${server.pid}/task/${server.pid}/schedstat`, "utf8")).split(
    " ",
  );
  return [Number(ran) / 1e6, Number(waited) / 1e6];
}

async function measure(signIns: number) {
  const latencies: number[] = [];
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = JSON.stringify({ deviceId: "bench" });
  const beat = async (): Promise<void> => {
    const sent = performance.now();
    const response = await fetch(`${url}/external/api/v1/teleprinter/heartbeat`, { method: "POST", headers, body });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`A heartbeat was answered with ${response.status}.`);
    latencies.push(performance.now() - sent);
  };
  const [begun, before] = [performance.now(), await threadTimes()];
  const [counts] = await Promise.all([signIn(signIns), atRate(heartbeats, seconds, beat)]);
  const [after, took] = [await threadTimes(), (performance.now() - begun) / 1000];
  latencies.sort((one, other) => one - other);
  return {
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    ...counts,
    ran: (after[0] - before[0]) / took,
    waited: (after[1] - before[1]) / took,
  };
}

const rates = [0, 10, 50];
const results = new Map(rates.map((rate) => [rate, [] as Awaited<ReturnType<typeof measure>>[]]));
try {
  await measure(10);
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const offset of rates.keys()) {
      const rate = rates[(offset + round) % rates.length] ?? 0;
      results.get(rate)?.push(await measure(rate));
    }
  }
} finally {
  server.kill();
  await rm(folder, { recursive: true, force: true });
}
const without = results.get(0) ?? [];
const range = (all: readonly number[], digits: number): string =>
  `${median(all).toFixed(digits)} (${Math.min(...all).toFixed(digits)}-${Math.max(...all).toFixed(digits)})`;
for (const [rate, all] of results) {
  const ratios = all.map(({ p99 }, round) => p99 / (without[round]?.p99 ?? Number.NaN));
  const [done, refused] = [all.map((one) => one.done), all.map((one) => one.refused)];
  console.log(
    `${rate} sign-ins/s: heartbeat p50 ${range(
      all.map(({ p50 }) => p50),
      1,
    )} ms, p99 ${range(
      all.map(({ p99 }) => p99),
      1,
    )} ms, ` +
      `ratio of p99 ${range(ratios, 2)}; signed in ${median(done) / seconds}/s, refused ${median(refused) / seconds}/s; ` +
      `the event loop ran ${range(
        all.map(({ ran }) => ran),
        0,
      )} ms in a second, and waited ${range(
        all.map(({ waited }) => waited),
        0,
      )} ms for a processor`,
  );
}
