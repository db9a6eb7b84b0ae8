import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism, getPriority } from "node:os";
import { Worker } from "node:worker_threads";
import { operator } from "@telex/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { createPasswordHasher } from "../src/credentials/hashing.ts";
import { start } from "./server.ts";

const size = Math.max(1, availableParallelism() - 1);

/** Records the requests and answers of the threads that start during a test. */
function watchHashes() {
  const workers: Worker[] = [];
  let [count, running, most] = [0, 0, 0];
  const follow = (worker: Worker): void => {
    workers.push(worker);
    const post = worker.postMessage.bind(worker);
    worker.postMessage = (request: unknown) => {
      count += 1;
      running += 1;
      most = Math.max(most, running);
      post(request);
    };
    worker.prependListener("message", () => (running -= 1));
  };
  const noteStart = (message: unknown): void => {
    if (message instanceof Object && "worker" in message && message.worker instanceof Worker) follow(message.worker);
  };
  subscribe("worker_threads", noteStart);
  onTestFinished(() => void unsubscribe("worker_threads", noteStart));
  return { count: () => count, most: () => most, workers };
}

/** The threads of this process with the priority of those that hash. Only on Linux. */
function threadsThatStepBack(): readonly string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc/self/task").filter((thread) => {
    const fields = readFileSync(`/proc/self/task/${thread}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return fields[16] === String(Math.min(19, getPriority() + 10));
  });
}

describe("passwords", () => {
  it("are hashed by as many threads as the machine has processors, less one, with a low priority", async () => {
    const watched = watchHashes();
    const { verify } = createPasswordHasher();
    const before = threadsThatStepBack();
    await Promise.all(Array.from({ length: size + 4 }, () => verify(null, "password")));
    expect([watched.count(), watched.most(), watched.workers.length]).toEqual([size + 4, size, size]);
    const after = threadsThatStepBack().filter((thread) => !before.includes(thread));
    expect(after).toHaveLength(process.platform === "linux" ? size : 0);
  });

  it("are hashed by a new thread after one has ended, whose sign-in is refused with 503", async () => {
    const watched = watchHashes();
    const { member, browser, log } = await start();
    await member("carol");
    const [worker] = watched.workers;
    if (worker === undefined) throw new Error("no thread has started");
    worker.postMessage = () => void worker.terminate();
    const signIn = async () =>
      await browser().post("/account/signIn", { username: "carol", password: "carol's password" });
    const answer = await signIn();
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "2"]);
    expect(log.lines).toEqual([expect.stringMatching(/^error http\.failed .*"busy".* the worker ended/)]);
    expect((await signIn()).status).toBe(200);
  });

  it("are hashed once for each sign-in, whoever is meant, and not at all for a stopped one", async () => {
    const watched = watchHashes();
    const { telex, browser, member, storage } = await start({}, { trustProxy: 1 });
    await member("carol");
    const dave = await member("dave");
    await telex.operator.users.amend(operator, { id: dave.id, state: "suspended" });
    const { id: userId } = await member("erin");
    await storage.accounts.amendAccount({ userId, rev: 1, change: { passwordHash: null } });
    const signIn = async (username: string, address: string): Promise<string> => {
      const headers = { origin: browser().url, "content-type": "application/json", "x-forwarded-for": address };
      const body = { username, password: "wrong password" };
      const { status, text } = await browser().post("/account/signIn", body, { headers });
      return `${status} ${text}`;
    };
    const names = ["carol", "dave", "erin", "nobody", "no name", "x".repeat(64)];
    const answers: string[] = [];
    for (const name of names) {
      const before = watched.count();
      answers.push(await signIn(name, "203.0.113.5"));
      expect([name, watched.count() - before]).toEqual([name, 1]);
    }
    expect(new Set(answers)).toEqual(new Set([answers[0]]));
    for (const name of ["carol", "nobody"]) {
      for (let round = 1; round < 10; round += 1) await signIn(name, "203.0.113.5");
      const before = watched.count();
      expect([name, await signIn(name, "203.0.113.5")]).toEqual([name, expect.stringMatching(/^429 /)]);
      expect([name, watched.count() - before]).toEqual([name, 0]);
    }
  });

  it("of more callers than may wait are refused with 503, and the seconds to wait", async () => {
    const { browser, member } = await start();
    const { browser: carols } = await member("carol");
    const many = Array.from({ length: size + 50 }, (_, index) =>
      browser().post("/account/signIn", { username: `name${index}`, password: "wrong password" }),
    );
    const answers = await Promise.all(many);
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    expect(new Set(refused.map(({ headers }) => headers.get("retry-after")))).toEqual(new Set(["1"]));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 503]));
    expect(await carols.get("/account")).toMatchObject({ status: 200 });
  });
});
