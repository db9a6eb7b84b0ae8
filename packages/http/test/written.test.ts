import { describe, expect, it } from "vitest";
import { head, openRaw } from "./raw.ts";
import { observeCalls, observePolls, overBothTransports, setup, type Setup, teleprinter } from "./setup.ts";

const poll = (device: string, wait = 0): string => `${teleprinter}/poll?deviceId=${device}&wait=${wait}`;

async function register({ post, alice }: Setup, ...devices: string[]): Promise<void> {
  for (const deviceId of devices) await post(`${teleprinter}/register`, { deviceId, name: "n" }, alice.token);
}

const send = ({ post, alice }: Setup, deviceId: string, content: string): Promise<Response> =>
  post(`${teleprinter}/send`, { deviceId, content }, alice.token);

/** The texts that a poll returns. */
async function texts({ send: request, alice }: Setup, path: string): Promise<string> {
  const answer = await request(path, { token: alice.token });
  return [...(await answer.text()).matchAll(/"content":"(\w+)"/g)].map(([, content]) => content).join(", ");
}

overBothTransports("a long poll", (open) => {
  it("is answered when a message arrives", async () => {
    const given = await open();
    await register(given, "printer");
    const waiting = texts(given, poll("printer", 60));
    await send(given, "printer", "now");
    expect(await waiting).toBe("now");
  });

  it("takes no HEAD, which would take the messages and not return them", async () => {
    const given = await open();
    await register(given, "printer");
    await send(given, "printer", "kept");
    const { status, headers } = await given.send(poll("printer"), { method: "HEAD", token: given.alice.token });
    expect([status, headers.get("allow")]).toEqual([405, "GET"]);
    expect(await texts(given, poll("printer"))).toBe("kept");
  });

  it("is woken empty when the instance closes", async () => {
    const { wrap, begun } = observePolls();
    const given = await open({ wrap });
    await register(given, "printer");
    const waiting = texts(given, poll("printer", 60));
    await begun;
    await given.telex.close();
    expect(await waiting).toBe("");
  });

  it("that is given up ends, and takes no message with it", async () => {
    const { wrap, begun, gone } = observePolls();
    const given = await open({ wrap });
    await register(given, "printer");
    const stop = new AbortController();
    const waiting = given.send(poll("printer", 60), { token: given.alice.token, signal: stop.signal });
    await begun;
    stop.abort();
    await waiting.catch(() => {});
    await gone;
    await send(given, "printer", "kept");
    expect(await texts(given, poll("printer", 60))).toBe("kept");
  });
});

overBothTransports("simultaneous polls", (open) => {
  it("return every message exactly once", async () => {
    const given = await open();
    await register(given, "printer");
    for (let number = 0; number < 40; number += 1) await send(given, "printer", `m${number}`);
    const next = () => texts(given, `${poll("printer")}&limit=5`);
    const answers = await Promise.all(Array.from({ length: 20 }, next));
    // A poll that arrives while another one holds texts gets none.
    for (let more = await next(); more !== ""; more = await next()) answers.push(more);
    const seen = answers.flatMap((text) => (text === "" ? [] : text.split(", ")));
    expect(seen.toSorted()).toEqual(Array.from({ length: 40 }, (_, number) => `m${number}`).toSorted());
  });
});

overBothTransports("a poll that fails late", (open) => {
  it("leaves its messages in the queue", async () => {
    let failures = 1;
    const given = await open({
      wrap: observeCalls("teleprinter.poll", async (messages) => {
        await messages;
        if (failures > 0) throw new Error(`failure ${(failures -= 1)}`);
      }),
    });
    await register(given, "printer");
    await send(given, "printer", "kept");
    expect((await given.send(poll("printer"), { token: given.alice.token })).status).toBe(500);
    expect(await texts(given, poll("printer"))).toBe("kept");
  });
});

describe("a poll in process", () => {
  it("whose answer is never read to its end leaves its messages in the queue", async () => {
    const given = await setup("in process");
    await register(given, "printer");
    await send(given, "printer", "one");
    const answer = await given.send(poll("printer"), { token: given.alice.token });
    expect(await texts(given, poll("printer"))).toBe("");
    await answer.body?.cancel();
    expect(await texts(given, poll("printer"))).toBe("one");
    expect(await texts(given, poll("printer"))).toBe("");
  });
});

describe("a poll over a socket", () => {
  it("whose answer waits behind another one when the connection ends leaves its messages in the queue", async () => {
    const { wrap, taken } = observePolls();
    const given = await setup("over a socket", { wrap });
    await register(given, "first", "second");
    await send(given, "second", "kept");
    const raw = await openRaw(given.url);
    const authorization = `Bearer ${given.alice.token}`;
    const [blocking, waiting] = [head(`GET ${poll("first", 60)}`, { authorization }), poll("second")];
    raw.write(blocking + head(`GET ${waiting}`, { authorization }));
    await taken;
    raw.socket.resetAndDestroy();
    await raw.ended;
    expect(await texts(given, poll("second", 60))).toBe("kept");
  });
});
