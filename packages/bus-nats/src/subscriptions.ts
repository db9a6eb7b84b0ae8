import type { NatsConnection, Subscription } from "@nats-io/transport-node";

/** The subjects that a server follows, connected or not. */
interface Subscriptions {
  add(subject: string): void;
  remove(subject: string): void;
  /** Subscribes all subjects on a new connection. */
  use(connection: NatsConnection): void;
}

export function createSubscriptions(receive: (payload: Uint8Array) => void): Subscriptions {
  const subjects = new Map<string, Subscription | null>();
  let current: NatsConnection | null = null;

  const subscribe = (subject: string): Subscription | null => {
    // A closed connection rejects subscriptions. The next connection subscribes all subjects.
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
