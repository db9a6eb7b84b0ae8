import { Duplex } from "node:stream";
import { ticks } from "@telex/core/testing";
import { describe, expect, it } from "vitest";
import { createOutput, type Output } from "./outbox.ts";

const frame = (text: string): Buffer => Buffer.from(text);

/** A socket that accepts output when the test says so. */
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

function open(output: Output) {
  const { socket, ...control } = createSocket();
  let overflows = 0;
  let isOpen = true;
  const outbox = output.open({
    socket,
    isOpen: () => isOpen,
    overflow() {
      overflows += 1;
      outbox.drop();
    },
  });
  socket.on("drain", outbox.drained);
  return { ...control, outbox, overflows: () => overflows, shut: () => void (isOpen = false) };
}

const output = (each = 1000, all = 10_000): Output => createOutput({ each, all });

describe("an outbox", () => {
  it("writes the frames of one tick together, also those that promises of that tick lead to", async () => {
    const { outbox, writes } = open(output());
    outbox.write([frame("a")]);
    outbox.write([frame("b"), frame("c")]);
    await Promise.resolve();
    await Promise.resolve();
    outbox.write([frame("d")]);
    await ticks(1);
    expect(writes).toEqual(["abcd"]);
    outbox.write([frame("e")]);
    await ticks(1);
    expect(writes).toEqual(["abcd", "e"]);
  });

  it("waits for the promises of a turn that begins in the event loop", async () => {
    const { outbox, writes } = open(output());
    const later = async (): Promise<void> => {
      await Promise.resolve();
      outbox.write([frame("b")]);
    };
    await new Promise<void>((resolve) => {
      setImmediate(() => {
        outbox.write([frame("a")]);
        resolve(later());
      });
    });
    await ticks(1);
    expect(writes).toEqual(["ab"]);
  });

  it("gives the socket no more than it takes, so that the rest can be dropped", async () => {
    const { outbox, writes, stick, free } = open(output());
    stick();
    outbox.write([frame("1".repeat(120))]);
    await ticks(1);
    outbox.write([frame("2")]);
    await ticks(1);
    outbox.drop();
    free();
    await ticks(1);
    expect(writes).toEqual(["1".repeat(120)]);
  });

  it("keeps what the socket does not take, and goes on in order when it drains", async () => {
    const { outbox, writes, stick, free } = open(output());
    stick();
    outbox.write([frame("1".repeat(120))]);
    await ticks(1);
    outbox.write([frame("2"), frame("3")]);
    await ticks(1);
    outbox.write([frame("4")]);
    await ticks(1);
    expect(writes).toEqual(["1".repeat(120)]);
    free();
    await ticks(1);
    expect(writes).toEqual(["1".repeat(120), "234"]);
  });

  it("overflows at the next write, once too much waits", async () => {
    const { outbox, overflows, stick } = open(output(300));
    stick();
    outbox.write([frame("x".repeat(301))]);
    await ticks(1);
    expect(overflows()).toBe(0);
    outbox.write([frame("y")]);
    await ticks(1);
    expect(overflows()).toBe(1);
  });

  it("takes a burst of any size from a connection that keeps up", async () => {
    const { outbox, overflows, writes } = open(output(300));
    for (let index = 0; index < 100; index += 1) outbox.write([frame("x".repeat(100))]);
    await ticks(1);
    await ticks(1);
    expect(overflows()).toBe(0);
    expect(writes.join("")).toHaveLength(10_000);
  });

  it("does not overflow at exactly the bound", async () => {
    const { outbox, overflows, stick } = open(output(300));
    stick();
    outbox.write([frame("x".repeat(300))]);
    await ticks(1);
    outbox.write([frame("y")]);
    await ticks(1);
    expect(overflows()).toBe(0);
    outbox.write([frame("z")]);
    await ticks(1);
    expect(overflows()).toBe(1);
  });

  it("gives the socket everything when it is finished, and takes nothing after that", async () => {
    const { outbox, writes, stick, free } = open(output());
    stick();
    outbox.write([frame("1".repeat(120))]);
    await ticks(1);
    outbox.write([frame("2")]);
    outbox.finish();
    outbox.write([frame("3")]);
    free();
    await ticks(1);
    expect(writes).toEqual(["1".repeat(120), "2"]);
  });

  it("writes nothing once it is dropped, or a close frame was sent", async () => {
    const dropped = open(output());
    dropped.outbox.write([frame("1")]);
    dropped.outbox.drop();
    const closed = open(output());
    closed.outbox.write([frame("1")]);
    closed.shut();
    await ticks(1);
    closed.outbox.finish();
    expect([...dropped.writes, ...closed.writes]).toEqual([]);
  });
});

describe("the outboxes of a server", () => {
  it("close the fullest first if too much waits for all together", async () => {
    const shared = output(1000, 1000);
    const lanes = [100, 500, 300].map((bytes) => {
      const lane = open(shared);
      lane.stick();
      lane.outbox.write([frame("x".repeat(bytes))]);
      return lane;
    });
    await ticks(1);
    expect(lanes.map(({ overflows }) => overflows())).toEqual([0, 0, 0]);
    const last = open(shared);
    last.stick();
    last.outbox.write([frame("y".repeat(200))]);
    await ticks(1);
    expect([...lanes, last].map(({ overflows }) => overflows())).toEqual([0, 1, 0, 0]);
  });

  it("close nobody for what has left in the meantime", async () => {
    const shared = output(1000, 300);
    const first = open(shared);
    first.stick();
    first.outbox.write([frame("x".repeat(90))]);
    first.outbox.write([frame("x".repeat(90))]);
    await ticks(1);
    first.free();
    await ticks(1);
    const second = open(shared);
    second.stick();
    second.outbox.write([frame("y".repeat(250))]);
    await ticks(1);
    expect([first.overflows(), second.overflows()]).toEqual([0, 0]);
  });

  it("close as many as it takes", async () => {
    const shared = output(10_000, 1000);
    const lanes = Array.from({ length: 5 }, () => open(shared));
    for (const lane of lanes) {
      lane.stick();
      lane.outbox.write([frame("x".repeat(200))]);
    }
    await ticks(1);
    const big = open(shared);
    big.stick();
    big.outbox.write([frame("y".repeat(150))]);
    await ticks(1);
    expect([...lanes, big].reduce((sum, { overflows }) => sum + overflows(), 0)).toBe(1);
    expect(big.overflows()).toBe(0);
  });
});
