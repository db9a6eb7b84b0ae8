import assert from "node:assert/strict";
import { type Bus } from "@telex/core";
import { wake, samples, sampleTopics } from "./samples.ts";
import { topicOf, join, publishUntil, has, isWake, pass } from "./servers.ts";

/** A bus to test. */
export interface BusSubject {
  /** The bus as a server of the installation has it. Each call is another server. */
  readonly server: () => Promise<Bus>;
  /** The bus as a server of another installation has it, over the same network if buses can share one. */
  readonly stranger: () => Promise<Bus>;
  /** Closes everything, whatever state it is in. */
  destroy(): Promise<void>;
}

/** One promise of `Bus`, and its test. */
export interface BusCase {
  readonly name: string;
  /** Rejects when the bus breaks the promise. */
  readonly run: (subject: BusSubject) => Promise<void>;
}

/** Names each case after its sentence. */
const defineBusCases = (bodies: Readonly<Record<string, (subject: BusSubject) => Promise<void>>>): readonly BusCase[] =>
  Object.entries(bodies).map(([sentence, run]) => ({ name: `bus: ${sentence}`, run }));

/** Every promise of `Bus`. */
export const busCases: readonly BusCase[] = defineBusCases({
  "every kind of event reaches the other servers as it was published": async ({ server }) => {
    const [one, two, three] = [await join(await server()), await join(await server()), await join(await server())];
    for (const { member } of [two, three]) for (const topic of sampleTopics) await member.follow(topic);
    for (const sample of samples) {
      const before = structuredClone(sample);
      for (const to of [two, three]) await publishUntil(one, sample, to, ({ kind }) => kind === sample.kind);
      assert.deepEqual(sample, before, "What is published is not changed.");
    }
    for (const { received } of [two, three]) {
      for (const event of received) {
        const published = samples.find(({ kind }) => kind === event.kind);
        assert.deepEqual(event, published);
      }
    }
  },

  "both directions work simultaneously": async ({ server }) => {
    const [one, two] = [await join(await server()), await join(await server())];
    await Promise.all([pass(one, two, "to two"), pass(two, one, "to one")]);
  },

  "a server does not receive what it published itself": async ({ server }) => {
    const [one, two] = [await join(await server()), await join(await server())];
    await one.follow("own");
    await pass(one, two, "own");
    await pass(two, one, "other");
    assert.ok(!has(one, "own"), "A server received its own event.");
  },

  "an event is received only after its publish has returned": async ({ server }) => {
    const [one, two] = [await join(await server()), await join(await server())];
    await two.follow("later");
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const before = two.received.length;
      one.member.publish(wake("later"));
      assert.equal(two.received.length, before, "An event was received while it was published.");
    }
    await pass(one, two, "end");
  },

  "another installation receives nothing": async ({ server, stranger }) => {
    const [one, two, other] = [await join(await server()), await join(await server()), await join(await stranger())];
    const neighbour = await join(await stranger());
    await other.follow("ours");
    await two.follow("theirs");
    await pass(one, two, "ours");
    await pass(neighbour, other, "theirs");
    assert.ok(!has(other, "ours"), "An event reached another installation.");
    assert.ok(!has(two, "theirs"), "An event of another installation arrived.");
  },

  "a server that has left receives nothing, and the others continue": async ({ server }) => {
    const [one, two, three] = [await join(await server()), await join(await server()), await join(await server())];
    await two.follow("after");
    await pass(one, two, "before");
    await two.member.leave();
    const count = two.received.length;
    await pass(one, three, "after");
    assert.equal(two.received.length, count, "A server that has left received an event.");
  },

  "an event that is published after leaving is lost without an error": async ({ server }) => {
    const [one, two] = [await join(await server()), await join(await server())];
    await two.follow("gone");
    await one.member.leave();
    one.member.publish(wake("gone"));
    await one.member.leave();
    const three = await join(await server());
    await pass(three, two, "end");
    assert.ok(!has(two, "gone"), "A server that has left was heard.");
  },

  "a server that joins later receives what is published from then on": async ({ server }) => {
    const one = await join(await server());
    one.member.publish(wake("early"));
    const two = await join(await server());
    await pass(one, two, "late");
  },

  "events of a topic still arrive after a server has unfollowed another topic": async ({ server }) => {
    const [one, two] = [await join(await server()), await join(await server())];
    for (const word of ["kept", "dropped"]) await pass(one, two, word);
    two.member.unfollow(topicOf("dropped"));
    await pass(one, two, "new");
    two.received.length = 0;
    await publishUntil(one, wake("kept"), two, isWake("kept"));
  },

  "topics with unusual characters are followed": async ({ server }) => {
    const [one, two] = [await join(await server()), await join(await server())];
    for (const word of ["打印机 1", "a.b.>", "*", "A", "a", "x".repeat(500)]) await pass(one, two, word);
  },

  "following ends without an error after leaving": async ({ server }) => {
    const [one, two] = [await join(await server()), await join(await server())];
    await pass(one, two, "before");
    await two.member.leave();
    await two.follow("late");
    two.member.unfollow(topicOf("before"));
    await one.member.leave();
  },
});
