import type { NatsConnection, Subscription } from "@nats-io/transport-node";

/** The subjects that a server has subscribed, whether it is connected or not. */
interface Subscriptions {
  add(subject: string): void;
  remove(subject: string): void;
  /** Subscribes everything on a new connection. */
  use(connection: NatsConnection): void;
}

/** Nothing is subscribed yet. */
export function createSubscriptions(receive: (payload: Uint8Array) => void): Subscriptions {
  const subjects = new Map<string, Subscription | null>();
  let current: NatsConnection | null = null;

  const subscribe = (subject: string): Subscription | null => {
    // One that was closed refuses it: the next one subscribes everything.
    if (current === null || current.isClosed()) return null;
    return current.subscribe(subject, {
      callback(error, { data }) {
        if (error === null) receive(data);
      },
    });
  };
  return {
    add: (subject) => void subjects.set(subject, subscribe(subject)),
    remove(subject) {
      const subscription = subjects.get(subject);
      subjects.delete(subject);
      if (subscription?.isClosed() === false) subscription.unsubscribe();
    },
    use(connection) {
      current = connection;
      for (const subject of subjects.keys()) subjects.set(subject, subscribe(subject));
    },
  };
}
