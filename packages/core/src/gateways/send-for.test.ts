import { createMemoryStorage } from "@telex/storage-memory";
import { expect, it } from "vitest";
import { TelexError } from "../errors/errors.ts";
import { createLogCollector, createManualClock } from "../testing/index.ts";
import { createGatewayFaults } from "./faults.ts";
import { createSendFor } from "./send-for.ts";

const place = { account: "bot-1", id: "row-1" };

/** A server that has the account of a waiting message, and whose storage fails before the message is read. */
async function scene(meanwhile: (store: ReturnType<typeof createMemoryStorage>["messages"]) => Promise<unknown>) {
  const clock = createManualClock();
  const { messages: store } = createMemoryStorage({ clock });
  const now = clock.now();
  const claim = { ...place, groupId: 1, userId: "1", message: "{}", at: now, until: now + 60_000, nonce: null };
  await store.claimSend({ ...claim, limit: 10, activeSince: now });
  const sendFor = createSendFor({
    store,
    rooms: {
      async find() {
        await meanwhile(store);
        throw new TelexError("storage_unavailable");
      },
    },
    clock,
    limits: { nonceLife: 60_000 },
    holds: { isHeld: () => true },
    dispatch: { run: () => Promise.reject(new Error("The message was not read.")), find: () => null },
    accepted: new Map(),
    faults: createGatewayFaults(createLogCollector(), clock),
    ordered: (promise) => promise,
    publish() {},
    findUploads: async () => [],
    toGatewayFile: () => {
      throw new Error("The message has no files.");
    },
  });
  return { answer: await sendFor.send(place), row: await store.findSend({ ...place, now }) };
}

it("a message that could not be read is not sent later", async () => {
  const { answer, row } = await scene(async () => {});
  expect([answer, row]).toMatchObject([{ outcome: "failed", code: "storage_unavailable" }, null]);
});

it("a message that another server has begun to send meanwhile has not failed", async () => {
  const start = { ...place, now: 1, until: Number.MAX_SAFE_INTEGER };
  const { answer, row } = await scene((store) => store.startSend(start));
  expect([answer, row]).toMatchObject([{ outcome: "taken" }, { state: "started" }]);
});
