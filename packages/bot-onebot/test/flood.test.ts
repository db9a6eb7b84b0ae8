import { fork } from "node:child_process";
import { once } from "node:events";
import { definePlugin, type ObservedFault } from "@telex/core";
import { until } from "@telex/conformance/testing";
import { expect, it, onTestFinished } from "vitest";
import { createImplementation } from "../src/testing/index.ts";
import { account, start } from "./setup.ts";

/** `TELEX_FLOOD_BOTS=1000` is what must hold; a few show the same in little time. */
const bots = Number(process.env["TELEX_FLOOD_BOTS"] ?? "20");
const MiB = 2 ** 20;

/** Bytes that the process uses for objects and buffers. */
function used(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

it(
  `${bots} bots that send as much as they can take bounded memory, and others are served`,
  { timeout: 60_000 + 100 * bots },
  async () => {
    const causes = new Set<string>();
    const fault = ({ cause }: ObservedFault): void => void causes.add(cause);
    const flooding = Array.from({ length: bots }, (_, index) => ({
      ...account,
      account: `flood-${index + 1}`,
      token: `flood-${index + 1}`,
    }));
    const accounts = [account, ...flooding];
    const { at, find, say, log } = await start({ accounts }, undefined, [
      definePlugin({ name: "counting", observer: { fault } }),
    ]);
    const good = createImplementation(11);
    await good.connect(at(), { token: "secret" });
    await until(() => find()?.isOnline === true);
    const before = used();

    const child = fork(new URL("flood-bots.ts", import.meta.url), [at(), String(bots)], {
      execArgv: ["--conditions=telex-source"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child, "message");
    const expected = ["malformed_event", "malformed_frame", "oversized_message"];
    await until(() => expected.every((cause) => causes.has(cause)));
    let most = 0;
    const texts = Array.from({ length: 10 }, (_, index) => `text ${index}`);
    for (const text of texts) {
      await say(text);
      most = Math.max(most, used() - before);
    }
    expect(good.texts()).toEqual(texts);
    expect(child.exitCode).toBeNull();
    // 256 MiB of unfinished frames, 64 MiB of waiting messages, and what the collector has not freed yet.
    expect(most).toBeLessThan(512 * MiB);
    expect(log.lines.filter((line) => line.includes("onebot.fault")).length).toBeLessThan(20 * bots);
  },
);
