import { AssertionError } from "node:assert";
import { type Bus, type BusEvent, type BusMember, createLocalBus } from "@telex/core";
import type { BusSubject } from "../../src/bus/bus.ts";

/** A bus that breaks a promise on purpose. */
interface BrokenBus {
  /** The fault, in a few words. */
  readonly fault: string;
  /** The case that must fail on it, without the `bus:`. */
  readonly found: string;
  readonly create: () => BusSubject;
}

type Receive = (event: BusEvent) => void;

const subjectOf = (ours: Bus, theirs: Bus): BusSubject => ({
  server: () => Promise.resolve(ours),
  stranger: () => Promise.resolve(theirs),
  destroy: () => Promise.resolve(),
});

/** A bus within the process on which joining was changed. */
const changed = (join: (bus: Bus, receive: Receive) => Promise<BusMember>) => (): BusSubject => {
  const bus = createLocalBus();
  return subjectOf({ join: (receive) => join(bus, receive) }, createLocalBus());
};

/** Wrong buses. */
export const brokenBuses: readonly BrokenBus[] = [
  {
    fault: "names are lost on the way",
    found: "every kind of event reaches the other servers as it was published",
    create: changed((bus, receive) =>
      bus.join((event) =>
        receive(event.kind === "message" ? { ...event, record: { ...event.record, nickname: "" } } : event),
      ),
    ),
  },
  {
    fault: "the first server hears, the others do not",
    found: "both directions work simultaneously",
    create() {
      let first = true;
      return changed(async (bus, receive) => {
        const isFirst = first;
        first = false;
        return bus.join(isFirst ? receive : () => {});
      })();
    },
  },
  {
    fault: "events come back to their publisher",
    found: "a server does not receive what it published itself",
    create: changed(async (bus, receive) => {
      const member = await bus.join(receive);
      return {
        ...member,
        publish(event) {
          member.publish(event);
          queueMicrotask(() => receive(event));
        },
      };
    }),
  },
  {
    fault: "events are received while they are published",
    found: "an event is received only after its publish has returned",
    create() {
      const members = new Set<Receive>();
      return changed((_bus, receive) => {
        members.add(receive);
        return Promise.resolve({
          publish(event) {
            for (const member of members) if (member !== receive) member(event);
          },
          follow: () => Promise.resolve(),
          unfollow() {},
          leave: () => Promise.resolve(),
        });
      })();
    },
  },
  {
    fault: "two installations share their events",
    found: "another installation receives nothing",
    create() {
      const bus = createLocalBus();
      return subjectOf(bus, bus);
    },
  },
  {
    fault: "a server that has left goes on receiving",
    found: "a server that has left receives nothing, and the others continue",
    create: changed(async (bus, receive) => {
      const member = await bus.join(receive);
      return { ...member, leave: () => Promise.resolve() };
    }),
  },
  {
    fault: "a server that has left is heard",
    found: "an event that is published after leaving is lost without an error",
    create: changed(async (bus, receive) => ({ ...(await bus.join(receive)), leave: () => Promise.resolve() })),
  },
  {
    fault: "one topic less is none",
    found: "events of a topic still arrive after a server has unfollowed another topic",
    create: changed(async (bus, receive) => {
      const member = await bus.join(receive);
      return {
        ...member,
        unfollow(topic) {
          member.unfollow(topic);
          void member.leave();
        },
      };
    }),
  },
  {
    fault: "topics are cut",
    found: "topics with unusual characters are followed",
    create: changed(async (bus, receive) => {
      const member = await bus.join(receive);
      return { ...member, follow: (topic) => member.follow(topic.slice(0, 100)) };
    }),
  },
  {
    fault: "a member that has left may not follow",
    found: "following ends without an error after leaving",
    create: changed(async (bus, receive) => {
      const member = await bus.join(receive);
      let hasLeft = false;
      return {
        ...member,
        follow: (topic) => (hasLeft ? Promise.reject(new AssertionError({ message: "left" })) : member.follow(topic)),
        leave() {
          hasLeft = true;
          return member.leave();
        },
      };
    }),
  },
  {
    fault: "only servers that were there at the start are told",
    found: "a server that joins later receives what is published from then on",
    create() {
      let isClosed = false;
      return changed(async (bus, receive) => {
        const member = await bus.join(isClosed ? () => {} : receive);
        return {
          ...member,
          publish(event) {
            isClosed = true;
            member.publish(event);
          },
        };
      })();
    },
  },
];
