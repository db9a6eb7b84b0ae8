import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLive, type LiveOptions } from "./live.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const turn = (milliseconds = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(milliseconds);

/** The other end of a connection. */
class FakeWire extends EventTarget {
  readonly sent: string[] = [];
  closed = false;
  send(data: string): void {
    this.sent.push(data);
  }
  close(): void {
    this.closed = true;
  }
  async open(): Promise<void> {
    this.dispatchEvent(new Event("open"));
    await turn();
  }
  say(frame: object): void {
    this.dispatchEvent(Object.assign(new Event("message"), { data: JSON.stringify(frame) }));
  }
  /** Answers the last ping as a server answers an unknown command. */
  async answer(): Promise<void> {
    const identifier = /"identifier":"(\d+)"/.exec(this.sent.at(-1) ?? "")?.[1];
    this.say({ type: "OperationFailed", code: 500, identifier, msg: "unknown" });
    await turn();
  }
  async end(code: number): Promise<void> {
    this.dispatchEvent(Object.assign(new Event("close"), { code }));
    await turn();
  }
}

function setup(given: Partial<LiveOptions<"teleprinter">> = {}) {
  const wires: FakeWire[] = [];
  const heard: string[] = [];
  const live = createLive({
    url: "https://telex.test",
    token: "t",
    channel: "teleprinter",
    random: () => 1,
    connect: () => {
      const wire = new FakeWire();
      wires.push(wire);
      return wire;
    },
    catchUp: () => Promise.resolve(),
    receive: ({ type }) => void heard.push(type),
    ended: (problem) => void heard.push(`ended: ${problem}`),
    hasNetwork: () => true,
    ...given,
  });
  const last = (): FakeWire => wires.at(-1) ?? new FakeWire();
  return { live, wires, heard, last };
}

test("the page is `behind` until missed events are fetched, and then `live`", async () => {
  const { promise, resolve: caughtUp } = Promise.withResolvers<void>();
  const { live, last, heard } = setup({ catchUp: () => promise });
  expect(live.state.value).toBe("connecting");
  await last().open();
  expect(live.state.value).toBe("connecting");
  await last().answer();
  expect(live.state.value).toBe("behind");
  last().say({ type: "TeleprinterMessage", code: 200, data: {} });
  expect(heard).toEqual(["TeleprinterMessage"]);
  caughtUp();
  await turn();
  expect(live.state.value).toBe("live");
});

test("a lost connection is reopened after increasing pauses", async () => {
  const { live, wires, last } = setup();
  await last().open();
  await last().answer();
  await turn();
  for (let losses = 1; losses <= 4; losses += 1) {
    await last().end(1006);
    expect(live.state.value).toBe("offline");
    const before = wires.length;
    await turn(1000 * 2 ** (losses - 1) - 1);
    expect(wires.length).toBe(before);
    await turn(1);
    expect(wires.length).toBe(before + 1);
  }
});

test("a dead connection is detected and reopened", async () => {
  const { live, wires, last } = setup();
  await last().open();
  await last().answer();
  await turn(30_000);
  expect(last().sent).toHaveLength(2);
  await turn(10_000);
  expect(wires[0]?.closed).toBe(true);
  expect(live.state.value).toBe("offline");
});

test("a connection whose first ping is not answered is closed, too", async () => {
  const { live, wires, last } = setup();
  await last().open();
  await turn(10_000);
  expect(wires[0]?.closed).toBe(true);
  expect(live.state.value).toBe("offline");
});

test.each([
  ["a login that fails", (wire: FakeWire) => wire.say({ type: "LoginFail", code: 400, identifier: "life-1" })],
  ["a token that ends", (wire: FakeWire) => wire.end(4401)],
])("%s ends it for good", async (_why, happen) => {
  const { wires, heard, last, live } = setup();
  await last().open();
  happen(last());
  live.close();
  await turn(120_000);
  expect(heard).toEqual(["ended: invalidToken"]);
  expect(wires).toHaveLength(1);
});

test("catching up that fails is repeated with a new connection", async () => {
  let fails = true;
  const { live, wires, last } = setup({
    catchUp: () => (fails ? Promise.reject(new TypeError("failed to fetch")) : Promise.resolve()),
  });
  await last().open();
  await last().answer();
  await turn();
  expect(live.state.value).toBe("offline");
  fails = false;
  live.check();
  await turn();
  expect(wires).toHaveLength(2);
  await last().open();
  await last().answer();
  await turn();
  expect(live.state.value).toBe("live");
});

test("without a network, no connection is attempted until it is back", async () => {
  let hasNetwork = true;
  const { live, wires, last } = setup({ hasNetwork: () => hasNetwork });
  await last().open();
  await last().answer();
  await turn();
  hasNetwork = false;
  live.drop();
  await turn(120_000);
  expect([live.state.value, wires.length]).toEqual(["offline", 1]);
  hasNetwork = true;
  live.check();
  await turn();
  expect(wires.length).toBe(2);
});

test("invalid frames are ignored", async () => {
  const { last, heard } = setup();
  await last().open();
  await last().answer();
  last().say([]);
  last().say({ data: 1 });
  expect(heard).toEqual([]);
});
