import { type Bus, type BusEvent, createLocalBus, createTelex, operator } from "@telex/core";
import { withLosses } from "@telex/conformance";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createManualClock, type ManualClock, ticks } from "@telex/conformance/testing";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { createMemoryStorage } from "@telex/storage-memory";
import { describe, expect, it, onTestFinished } from "vitest";
import { createHttp } from "../src/server/app.ts";
import { createStepModel } from "./models.ts";

const url = "http://telex.test/external/api/v1/sseStream/chat";
const images = createSharpEngine();

/** Two servers on one storage, and a user who asks the first one. */
async function createServers(busOf: (server: number) => Bus) {
  const clock = createManualClock();
  const storage = { ...createMemoryStorage({ clock }), close: () => Promise.resolve() };
  const model = createStepModel();
  const start = async (server: number) => {
    const common = { storage, blobs: createMemoryBlobs({ clock }), images, clock, bus: busOf(server) };
    const telex = await createTelex({ ...common, plugins: [{ name: "model", models: model.models }] });
    onTestFinished(() => telex.close());
    const http = createHttp(telex);
    const post = (token: string, lastEventId: string, body: object | null) => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const resumed = lastEventId === "" ? headers : { ...headers, "last-event-id": lastEventId };
      const init = { method: "POST", headers: resumed, body: body === null ? null : JSON.stringify(body) };
      return http.fetch(new Request(url, init));
    };
    return { telex, post };
  };
  const [one, two] = [await start(1), await start(2)];
  const tokenOf = async (nickname: string): Promise<string> => {
    const { id } = await one.telex.operator.users.add(operator, { nickname });
    return (await one.telex.operator.tokens.issue(operator, { userId: id, scopes: ["chat"] })).token;
  };
  const token = await tokenOf("Alice");
  const ask = () => one.post(token, "", { content: "Is the tea ready?" });
  return { one, two, clock, model, token, tokenOf, ask };
}

/** Collects the body of a response. */
function listen({ body }: Response) {
  const reader = (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
  const heard = { text: "", isOver: false };
  const run = async (): Promise<void> => {
    for (;;) {
      const { done, value = "" } = await reader.read();
      heard.text += value;
      if (done) break;
    }
    heard.isOver = true;
  };
  void run();
  return { heard, leave: () => reader.cancel() };
}

/** Advances time in small steps until a condition holds. */
async function pass(clock: ManualClock, holds: () => boolean): Promise<void> {
  for (let step = 0; step < 400 && !holds(); step += 1) {
    await ticks();
    if (!holds()) await clock.advance(100);
  }
  expect(holds()).toBe(true);
}

const lastIdIn = (text: string): string =>
  text
    .match(/^id: .*$/gmv)
    ?.at(-1)
    ?.slice(4) ?? "";
const deltasIn = (text: string): string[] =>
  [...text.matchAll(/"delta":"(?<delta>[^"]*)"/gv)].map((found) => found.groups?.["delta"] ?? "");

/** A reply of which a reader on the first server has received one word. */
async function loseReply({ ask, model, clock }: Awaited<ReturnType<typeof createServers>>): Promise<string> {
  model.word("one ");
  const { heard, leave } = listen(await ask());
  await pass(clock, () => deltasIn(heard.text).length === 1);
  await leave();
  return lastIdIn(heard.text);
}

describe("a reply of a model is followed on another server than its own", () => {
  it.each([
    { name: "from where it was lost to its end", spoil: (bus: Bus) => bus },
    { name: "over a bus that loses, doubles and delays", spoil: withLosses },
  ])("$name", async ({ spoil }) => {
    const bus = createLocalBus();
    const servers = await createServers((server) => spoil(bus, server));
    const { two, token, model, clock } = servers;
    const lost = await loseReply(servers);
    model.word("two ");
    const resuming = two.post(token, lost, null);
    let response: Response | null = null;
    void resuming.then((one) => (response = one));
    await pass(clock, () => response !== null);
    const { heard } = listen(await resuming);
    await pass(clock, () => heard.text.includes("two"));
    model.word("three");
    await pass(clock, () => heard.text.includes("three"));
    model.end();
    await pass(clock, () => heard.isOver);
    expect(deltasIn(heard.text)).toEqual(["two ", "three"]);
    expect(heard.text).toContain("event: ChatResult");
    expect(heard.text).toContain('"content":"one two three"');
    expect(model.state.asked).toBe(1);
  });

  it("also while the model says nothing for longer than a question waits", async () => {
    const bus = createLocalBus();
    const servers = await createServers(() => bus);
    const { two, token, model, clock } = servers;
    const lost = await loseReply(servers);
    const resuming = two.post(token, lost, null);
    let status = 0;
    void resuming.then((response) => (status = response.status));
    await pass(clock, () => status !== 0);
    expect(status).toBe(200);
    const { heard } = listen(await resuming);
    model.word("two ");
    model.end();
    await pass(clock, () => heard.isOver);
    expect(deltasIn(heard.text)).toEqual(["two "]);
  });

  it("until its server is gone: then the reader is told within 10 s", async () => {
    const bus = createLocalBus();
    const gate = { isOpen: true };
    const gated: Bus = { join: (receive) => bus.join((event) => (gate.isOpen ? receive(event) : undefined)) };
    const servers = await createServers(() => gated);
    const { two, token, model, clock } = servers;
    const lost = await loseReply(servers);
    model.word("two ");
    const { heard } = listen(await two.post(token, lost, null));
    await pass(clock, () => heard.text.includes("two"));
    gate.isOpen = false;
    const before = clock.now();
    await pass(clock, () => heard.isOver);
    expect(clock.now() - before).toBeLessThanOrEqual(10_000);
    expect(heard.text).toMatch(/event: OperationFailed\ndata: .*ai_unavailable/v);
  });

  it("as long as its reader is there: then nobody asks any more, and the model is stopped", async () => {
    const bus = createLocalBus();
    const followed = new Set<string>();
    const counting: Bus = {
      async join(receive) {
        const member = await bus.join(receive);
        return {
          ...member,
          follow(topic) {
            if (topic.startsWith("reply:")) followed.add(topic);
            return member.follow(topic);
          },
          unfollow(topic) {
            followed.delete(topic);
            member.unfollow(topic);
          },
        };
      },
    };
    const servers = await createServers(() => counting);
    const { two, token, model, clock } = servers;
    const lost = await loseReply(servers);
    model.word("two ");
    const { heard, leave } = listen(await two.post(token, lost, null));
    await pass(clock, () => heard.text.includes("two"));
    // The model is silent for a while.
    for (let second = 0; second < 5; second += 1) {
      await clock.advance(1000);
      await ticks();
    }
    expect(followed.size).toBe(1);
    await leave();
    const stopped: string[] = [];
    void model.aborted.then(() => stopped.push("the model"));
    for (let second = 0; second < 200; second += 1) {
      await clock.advance(1000);
      await ticks();
    }
    expect([stopped, [...followed]]).toEqual([["the model"], []]);
  });

  it("by the reader that came last: a late question of the one before does not end it", async () => {
    const bus = createLocalBus();
    const asked: BusEvent[] = [];
    const receivers: ((event: BusEvent) => void)[] = [];
    const recording: Bus = {
      join(receive) {
        receivers.push(receive);
        return bus.join((event) => {
          if (event.kind === "reply_ask") asked.push(event);
          receive(event);
        });
      },
    };
    const servers = await createServers(() => recording);
    const { two, token, model, clock } = servers;
    const lost = await loseReply(servers);
    model.word("two ");
    const dead = listen(await two.post(token, lost, null));
    await pass(clock, () => dead.heard.text.includes("two"));
    const late = asked.at(-1);
    const { heard } = listen(await two.post(token, lost, null));
    await pass(clock, () => heard.text.includes("two") && dead.heard.isOver);
    await pass(clock, () => asked.at(-1) !== late);
    if (late !== undefined) receivers[0]?.(late);
    await ticks();
    model.word("three");
    model.end();
    await pass(clock, () => heard.isOver);
    expect(heard.text).toContain("event: ChatResult");
    expect(deltasIn(heard.text)).toEqual(["two ", "three"]);
  });

  it("but nobody looks for many replies simultaneously: each question reaches every server", async () => {
    const bus = createLocalBus();
    const { two, token, tokenOf, clock } = await createServers(() => bus);
    const other = await tokenOf("Bob");
    const statuses: number[] = [];
    const look = async (holder: string, id: string): Promise<void> => {
      const { status } = await two.post(holder, `${id.padStart(16, "A")}:1`, null);
      statuses.push(status);
    };
    for (let count = 0; count < 33; count += 1) void look(token, String(count));
    void look(other, "0");
    await pass(clock, () => statuses.length === 34);
    expect(statuses.toSorted((a, b) => b - a).slice(0, 2)).toEqual([429, 404]);
    void look(token, "0");
    await pass(clock, () => statuses.length === 35);
    expect(statuses.at(-1)).toBe(404);
  });

  it("but not by another user, and not if no server has it", async () => {
    const servers = await createServers(
      (
        (bus) => () =>
          bus
      )(createLocalBus()),
    );
    const { two, token, tokenOf, clock } = servers;
    const lost = await loseReply(servers);
    for (const [holder, id] of [
      [await tokenOf("Bob"), lost],
      [token, "AAAAAAAAAAAAAAAA:1"],
      [token, "no id"],
    ] as const) {
      let status = 0;
      void two.post(holder, id, null).then((response) => (status = response.status));
      await pass(clock, () => status !== 0);
      expect(status).toBe(404);
    }
  });
});
