import { expect, it } from "vitest";
import { type Bus, createBusLink, createLocalBusOf, dispatch, type EventOf } from "@telex/ground/bus";
import { createManualClock, ticks } from "@telex/conformance/testing";
import { type AiBusEvents, aiBusTopics } from "./bus-events.ts";
import { createRemoteReplies } from "./remote-replies.ts";

type Event = EventOf<AiBusEvents>;

/** A bus over which a member receives the events of a topic only after `arrive`. */
function createSlowBus(bus: Bus<Event>) {
  const arrived = Promise.withResolvers<undefined>();
  const slow: Bus<Event> = {
    async join(receive) {
      const member = await bus.join(receive);
      const follow = async (topic: string): Promise<void> => {
        await arrived.promise;
        await member.follow(topic);
      };
      return { ...member, follow };
    },
  };
  return { slow, arrive: () => arrived.resolve(undefined) };
}

const ignore = (): void => undefined;

it("a reader asks other servers for a reply only when their answers can reach it", async () => {
  const bus = createLocalBusOf<Event>((event) => dispatch(aiBusTopics, event) ?? null);
  const { slow, arrive } = createSlowBus(bus);
  const clock = createManualClock();
  const link = createBusLink<AiBusEvents>(slow, { clock, isForLeaving: () => false });
  const replies = createRemoteReplies({ bus: link, clock });
  await link.join({ reply_ask: ignore, reply_part: replies.heard.part });
  const asked: string[] = [];
  const other = await bus.join((event) => {
    if (event.kind !== "reply_ask") return;
    asked.push(event.reply);
    other.publish({ ...event, kind: "reply_part", texts: ["So."], isOver: true });
  });
  const found = replies.read({ reply: "r", userId: 1, after: 0 }, new AbortController().signal);
  await ticks();
  expect(asked).toEqual([]);
  arrive();
  await ticks();
  const events: string[] = [];
  for await (const text of (await found) ?? []) events.push(text);
  expect([asked, events]).toEqual([["r"], ["So."]]);
});
