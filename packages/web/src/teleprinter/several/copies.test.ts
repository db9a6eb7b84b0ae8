import type { DeviceMessageView } from "@telex/core";
import { expect, test } from "vitest";
import { createCopies } from "./copies.ts";

type Answer = (message: DeviceMessageView | Error) => void;

function setup() {
  const answers = new Map<string, Answer>();
  const nonces: (string | undefined)[] = [];
  const copies = createCopies(({ deviceId, nonce }) => {
    nonces.push(nonce);
    const { promise, resolve, reject } = Promise.withResolvers<DeviceMessageView>();
    answers.set(deviceId, (message) => (message instanceof Error ? reject(message) : resolve(message)));
    return promise;
  });
  const states = (): readonly unknown[] => copies.list.value.map(({ state }) => state);
  return { copies, answers, nonces, states };
}

const stored = (deviceId: string, id: number): DeviceMessageView => ({
  id,
  deviceId,
  content: "text",
  direction: "to_device",
  delivered: 0,
  createdAt: "2026-11-20T08:15:30.123+00:00",
});

test("each device acknowledges its own copy, also before the server answered", async () => {
  const { copies, answers, states } = setup();
  copies.send(["a", "b"], "text", {});
  expect(states()).toEqual(["sending", "sending"]);
  copies.delivered("b", [2]);
  answers.get("a")?.(stored("a", 1));
  answers.get("b")?.(stored("b", 2));
  await expect.poll(states).toEqual(["waiting", "delivered"]);
  copies.delivered("a", [1]);
  expect(states()).toEqual(["delivered", "delivered"]);
});

test("a failed copy is sent again with its nonce, and the others are not", async () => {
  const { copies, answers, nonces, states } = setup();
  copies.send(["a", "b"], "text", {});
  answers.get("a")?.(new TypeError("failed to fetch"));
  answers.get("b")?.(stored("b", 2));
  await expect.poll(states).toEqual(["failed", "waiting"]);
  copies.retry();
  answers.get("a")?.(stored("a", 3));
  await expect.poll(states).toEqual(["waiting", "waiting"]);
  expect(nonces).toEqual([nonces[0], nonces[1], nonces[0]]);
});
