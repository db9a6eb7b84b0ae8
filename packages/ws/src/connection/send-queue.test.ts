import { Duplex } from "node:stream";
import { ticks } from "@telex/conformance/testing";
import { describe, expect, it } from "vitest";
import { createSendQueues, type SendQueues } from "./send-queue.ts";

const frame = (text: string): Buffer => Buffer.from(text);

/** A socket that accepts output on request of the test. */
function createSocket() {
  const writes: string[] = [];
  let free: (() => void) | null = null;
  let stuck = false;
  const take = (content: string, done: () => void): void => {
    writes.push(content);
    if (stuck) free = done;
    else done();
  };
  const socket = new Duplex({
    read() {},
    highWaterMark: 100,
    write: (chunk: Buffer, _encoding, done) => take(chunk.toString(), done),
    writev: (chunks, done) => take(chunks.map(({ chunk }) => String(chunk)).join(""), done),
  });
  return {
    socket,
    writes,
    stick: () => {
      stuck = true;
    },
    free: () => {
      stuck = false;
      const done = free;
      free = null;
      done?.();
    },
  };
}

function open(queues: SendQueues) {
  const { socket, ...control } = createSocket();
  let overflows = 0;
  let isOpen = true;
  const queue = queues.open({
    socket,
    isOpen: () => isOpen,
    overflow() {
      overflows += 1;
      queue.drop();
    },
  });
  socket.on("drain", queue.drained);
  return { ...control, queue, overflows: () => overflows, shut: () => void (isOpen = false) };
}

const queuesOf = (each = 1000, all = 10_000): SendQueues => createSendQueues({ each, all });

describe("a send queue", () => {
  it("writes the frames of one tick together, also those that promises of that tick lead to", async () => {
    const { queue, writes } = open(queuesOf());
    queue.write([frame("a")]);
    queue.write([frame("b"), frame("c")]);
    await Promise.resolve();
    await Promise.resolve();
    queue.write([frame("d")]);
    await ticks(1);
    expect(writes).toEqual(["abcd"]);
    queue.write([frame("e")]);
    await ticks(1);
    expect(writes).toEqual(["abcd", "e"]);
  });

  it("waits for the promises of a turn that begins in the event loop", async () => {
    const { queue, writes } = open(queuesOf());
    const later = async (): Promise<void> => {
      await Promise.resolve();
      queue.write([frame("b")]);
    };
    await new Promise<void>((resolve) => {
      setImmediate(() => {
        queue.write([frame("a")]);
        resolve(later());
      });
    });
    await ticks(1);
    expect(writes).toEqual(["ab"]);
  });

  it("gives the socket no more than it takes, so that the rest can be dropped", async () => {
    const { queue, writes, stick, free } = open(queuesOf());
    stick();
    queue.write([frame("1".repeat(120))]);
    await ticks(1);
    queue.write([frame("2")]);
    await ticks(1);
    queue.drop();
    free();
    await ticks(1);
    expect(writes).toEqual(["1".repeat(120)]);
  });

  it("keeps what the socket does not take, and goes on in order when it drains", async () => {
    const { queue, writes, stick, free } = open(queuesOf());
    stick();
    queue.write([frame("1".repeat(120))]);
    await ticks(1);
    queue.write([frame("2"), frame("3")]);
    await ticks(1);
    queue.write([frame("4")]);
    await ticks(1);
    expect(writes).toEqual(["1".repeat(120)]);
    free();
    await ticks(1);
    expect(writes).toEqual(["1".repeat(120), "234"]);
  });

  it("overflows at the next write, once too much waits", async () => {
    const { queue, overflows, stick } = open(queuesOf(300));
    stick();
    queue.write([frame("x".repeat(301))]);
    await ticks(1);
    expect(overflows()).toBe(0);
    queue.write([frame("y")]);
    await ticks(1);
    expect(overflows()).toBe(1);
  });

  it("takes a burst of any size from a connection that keeps up", async () => {
    const { queue, overflows, writes } = open(queuesOf(300));
    for (let index = 0; index < 100; index += 1) queue.write([frame("x".repeat(100))]);
    await ticks(1);
    await ticks(1);
    expect(overflows()).toBe(0);
    expect(writes.join("")).toHaveLength(10_000);
  });

  it("does not overflow at exactly the bound", async () => {
    const { queue, overflows, stick } = open(queuesOf(300));
    stick();
    queue.write([frame("x".repeat(300))]);
    await ticks(1);
    queue.write([frame("y")]);
    await ticks(1);
    expect(overflows()).toBe(0);
    queue.write([frame("z")]);
    await ticks(1);
    expect(overflows()).toBe(1);
  });

  it("gives the socket everything when it is finished, and takes nothing after that", async () => {
    const { queue, writes, stick, free } = open(queuesOf());
    stick();
    queue.write([frame("1".repeat(120))]);
    await ticks(1);
    queue.write([frame("2")]);
    queue.finish();
    queue.write([frame("3")]);
    free();
    await ticks(1);
    expect(writes).toEqual(["1".repeat(120), "2"]);
  });

  it("writes nothing once it is dropped, or a close frame was sent", async () => {
    const dropped = open(queuesOf());
    dropped.queue.write([frame("1")]);
    dropped.queue.drop();
    const closed = open(queuesOf());
    closed.queue.write([frame("1")]);
    closed.shut();
    await ticks(1);
    closed.queue.finish();
    expect([...dropped.writes, ...closed.writes]).toEqual([]);
  });
});

describe("the send queues of a server", () => {
  it("close the fullest first if too much waits for all together", async () => {
    const shared = queuesOf(1000, 1000);
    const lanes = [100, 500, 300].map((bytes) => {
      const lane = open(shared);
      lane.stick();
      lane.queue.write([frame("x".repeat(bytes))]);
      return lane;
    });
    await ticks(1);
    expect(lanes.map(({ overflows }) => overflows())).toEqual([0, 0, 0]);
    const last = open(shared);
    last.stick();
    last.queue.write([frame("y".repeat(200))]);
    await ticks(1);
    expect([...lanes, last].map(({ overflows }) => overflows())).toEqual([0, 1, 0, 0]);
  });

  it("close nobody for what has left in the meantime", async () => {
    const shared = queuesOf(1000, 300);
    const first = open(shared);
    first.stick();
    first.queue.write([frame("x".repeat(90))]);
    first.queue.write([frame("x".repeat(90))]);
    await ticks(1);
    first.free();
    await ticks(1);
    const second = open(shared);
    second.stick();
    second.queue.write([frame("y".repeat(250))]);
    await ticks(1);
    expect([first.overflows(), second.overflows()]).toEqual([0, 0]);
  });

  it("close as many as it takes", async () => {
    const shared = queuesOf(10_000, 1000);
    const lanes = Array.from({ length: 5 }, () => open(shared));
    for (const lane of lanes) {
      lane.stick();
      lane.queue.write([frame("x".repeat(200))]);
    }
    await ticks(1);
    const big = open(shared);
    big.stick();
    big.queue.write([frame("y".repeat(150))]);
    await ticks(1);
    expect([...lanes, big].reduce((sum, { overflows }) => sum + overflows(), 0)).toBe(1);
    expect(big.overflows()).toBe(0);
  });
});
