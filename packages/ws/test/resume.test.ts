import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Telex } from "@telex/core";
import { fc } from "test-support/property";
import { ticks, until } from "@telex/conformance/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { type ChannelEvent, followChannel, type FollowOptions } from "../src/client/client.ts";
import { createWs } from "../src/index.ts";
import { layCable } from "./cable.ts";
import { startTelex } from "./harness.ts";

/** The sockets of an installation on their own port, which can be stopped and restarted on another one. */
async function serve(telex: Telex) {
  const ws = createWs(telex);
  const server = createServer().on("upgrade", ws.handleUpgrade).listen(0, "127.0.0.1");
  await once(server, "listening");
  const stop = async (): Promise<void> => {
    server.close();
    await ws.close();
  };
  onTestFinished(stop);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on TCP has such an address
  return { port: (server.address() as AddressInfo).port, stop };
}

/** The fate of a connection while texts are sent. */
interface Step {
  /** Which target each text goes to: the first or the second one. */
  readonly texts: readonly (0 | 1)[];
  readonly fate: "cut" | "restart" | "none";
  /** Bytes that a connection still carries before it is cut. */
  readonly bytes: number;
  /** True if texts wait before the reader takes the next one. */
  readonly slow: boolean;
}

const steps = fc.array(
  fc.record<Step>({
    texts: fc.array(fc.constantFrom<0 | 1>(0, 1), { maxLength: 12 }),
    fate: fc.constantFrom("cut", "cut", "cut", "restart", "none"),
    bytes: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 6000 })),
    slow: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8 },
);

async function scene(limits: { readonly replayMessages?: number } = {}) {
  const running = await startTelex({ limits });
  const { telex } = running;
  const [alice, bob] = [await running.user("Alice"), await running.user("Bob")];
  const sender = await telex.authenticate(alice.token);
  let server = await serve(telex);
  const cable = await layCable(server.port);
  return {
    ...running,
    alice,
    bob,
    sender,
    cable,
    suffer: async (fate: Step["fate"], bytes: number): Promise<void> => {
      if (fate === "cut") cable.breakAfter(bytes);
      if (fate !== "restart") return;
      const before = server;
      server = await serve(telex);
      cable.target = server.port;
      await before.stop();
    },
  };
}

type Quick = Pick<FollowOptions<"rooms">, "random" | "mostUnread">;
/** No pause between connections, and room for few events, so that a slow reader loses its connection. */
const quick: Quick = { random: () => 0, mostUnread: 4 };

describe("a followed channel, over a connection that is cut at any byte and a server that is restarted", () => {
  it("has each message of two rooms once and in order, or a gap that covers it", async () => {
    const whole = async (plan: readonly Step[]): Promise<void> => {
      const { telex, sender, alice, bob, group, cable, suffer } = await scene({ replayMessages: 15 });
      const rooms = [await group([alice, bob]), await group([alice, bob])];
      const sent: string[] = [];
      const send = async (room: 0 | 1): Promise<void> => {
        const groupId = rooms[room] ?? 0;
        const { messageId } = await telex.messages.send(sender, { groupId, groupType: 1, message: `${sent.length}` });
        sent.push(`${groupId}: ${messageId}`);
      };
      await send(0);
      const covered: string[] = [];
      const stop = new AbortController();
      let slow = false;
      const cover = ({ type, data }: ChannelEvent<"rooms">): void => {
        if (type === "GroupMessage") covered.push(`${data.groupId}: ${data.messageId}`);
        if (type === "Gap") {
          const { groupId, since, until: last } = data;
          for (let id = since + 1; id <= last; id += 1) {
            if (sent.includes(`${groupId}: ${id}`)) covered.push(`${groupId}: ${id}`);
          }
        }
      };
      const follower = followChannel({
        ...quick,
        url: cable.url,
        token: bob.token,
        channel: "rooms",
        query: { since: "1" },
        signal: stop.signal,
        async onEvent(event) {
          if (slow) for (let tick = 0; tick < 20; tick += 1) await ticks(1);
          cover(event);
        },
      });
      for (const step of plan) {
        ({ slow } = step);
        const suffered = suffer(step.fate, step.bytes);
        for (const room of step.texts) await send(room);
        await suffered;
      }
      await send(1);
      const { length } = sent;
      await until(() => covered.length >= length - 1);
      stop.abort();
      await follower.ended;
      const inRoom = (all: readonly string[], room: number) => all.filter((one) => one.startsWith(`${rooms[room]}:`));
      expect([inRoom(covered, 0), inRoom(covered, 1)]).toEqual([inRoom(sent, 0).slice(1), inRoom(sent, 1)]);
    };
    await fc.assert(fc.asyncProperty(steps, whole), { numRuns: 25 });
  });

  it("has each text of a device once and in order, and leaves none waiting", async () => {
    const whole = async (plan: readonly Step[]): Promise<void> => {
      const { telex, sender, alice, cable, suffer } = await scene();
      const deviceId = "printer";
      await telex.teleprinter.register(sender, { deviceId, name: "Printer" });
      const sent: string[] = [];
      const send = async (): Promise<void> => {
        const content = String(sent.length);
        sent.push(content);
        await telex.teleprinter.send(sender, { deviceId, content });
      };
      const printed: string[] = [];
      const stop = new AbortController();
      let slow = false;
      const follower = followChannel({
        ...quick,
        url: cable.url,
        token: alice.token,
        channel: "teleprinter",
        query: { deviceId },
        signal: stop.signal,
        async onEvent({ type, data }) {
          if (slow) for (let tick = 0; tick < 20; tick += 1) await ticks(1);
          if (type === "TeleprinterMessage") printed.push(data.content);
        },
      });
      for (const step of plan) {
        ({ slow } = step);
        const suffered = suffer(step.fate, step.bytes);
        for (let left = step.texts.length; left > 0; left -= 1) await send();
        await suffered;
      }
      await send();
      await until(() => printed.length >= sent.length);
      // The answer to a command comes after those of the acknowledgements before it, if no connection was lost with them.
      const waiting = async () => (await telex.teleprinter.messages(sender, { deviceId, pageSize: 100 })).messages;
      while ((await waiting()).some(({ delivered }) => delivered === 0)) await ticks(1);
      stop.abort();
      await follower.ended;
      expect(printed).toEqual(sent);
    };
    await fc.assert(fc.asyncProperty(steps, whole), { numRuns: 25 });
  });
});
