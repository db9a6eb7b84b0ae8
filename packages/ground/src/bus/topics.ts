import type { Clock } from "../time/index.ts";
import type { BusMember } from "./bus.ts";
import type { TableOf } from "./events.ts";

/** The names of topics. An event of a topic only reaches the servers that follow the topic. */
export const topics = {
  room: (groupId: number): string => `room:${groupId}`,
  user: (userId: number): string => `user:${userId}`,
  device: (deviceId: string): string => `device:${deviceId}`,
  reply: (reply: string): string => `reply:${reply}`,
  server: (server: string): string => `server:${server}`,
} as const;

/** The topic of each kind of event; null for an event that every member must receive. */
export type TopicsOf<M> = TableOf<M, string | null>;

/** One follower of a topic. */
export interface Following {
  /** Resolves when the subscription is active, or when the network is down. Never rejects. */
  readonly ready: Promise<void>;
  /** Stops following. A second call has no effect. */
  end(): void;
}

export interface Followed {
  follow(topic: string): Following;
  /** Unfollows topics that have had no followers for a while. Call it regularly. */
  tick(): void;
}

/** Milliseconds that a topic is kept without followers, because a device that polls soon polls again. */
const linger = 60_000;

/** Follows a topic on the bus while a connection of this server follows it. */
export function createFollowed(member: Pick<BusMember<never>, "follow" | "unfollow">, clock: Clock): Followed {
  const followed = new Map<string, { followers: number; readonly ready: Promise<void> }>();
  /** Topics without followers, with the time since when, the oldest first. */
  const idle = new Map<string, number>();
  return {
    follow(name) {
      const topic = followed.get(name) ?? { followers: 0, ready: member.follow(name) };
      followed.set(name, topic);
      idle.delete(name);
      topic.followers += 1;
      let hasEnded = false;
      return {
        ready: topic.ready,
        end() {
          if (hasEnded) return;
          hasEnded = true;
          topic.followers -= 1;
          if (topic.followers === 0) idle.set(name, clock.now());
        },
      };
    },
    tick() {
      for (const [name, since] of idle) {
        if (clock.now() - since < linger) break;
        idle.delete(name);
        followed.delete(name);
        member.unfollow(name);
      }
    },
  };
}
