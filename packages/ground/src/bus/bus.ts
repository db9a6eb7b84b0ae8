/** The membership of one server in a bus. */
export interface BusMember<E> {
  /**
   * Publishes to the other members. MUST return without waiting and MUST NOT throw, regardless of the network: events that cannot be
   * sent are lost. MUST NOT change the event.
   */
  publish(event: E): void;
  /**
   * Subscribes this member to the events of a topic: see `busTopicOf`. Events without a topic reach every member.
   * Resolves when the subscription is active, or soon if the network is down; MUST NOT reject. It is not called again for a topic
   * before `unfollow`. A bus MAY deliver events of topics that a member does not follow.
   */
  follow(topic: string): Promise<void>;
  /** The member no longer needs the events of a topic. MUST return without waiting, and MUST NOT throw. */
  unfollow(topic: string): void;
  /** Leaves the bus. When it has resolved, `receive` MUST NOT be called again. Also resolves if the network is down. */
  leave(): Promise<void>;
}

/**
 * Connects the servers of one installation. A bus MAY lose, duplicate, delay and reorder events: the store is authoritative,
 * and a receiver that misses an event reads the change there. Lost events make changes visible later, but never wrong.
 */
export interface Bus<E> {
  /**
   * Adds a server, and resolves when it receives the later events of the others. MAY resolve earlier if the network is
   * down: the member then receives events that are published after the network is back.
   *
   * The bus MUST call `receive` with an event that equals the published one. It MUST NOT call it for events that the member
   * published itself, for events of another installation, or before the `publish` of the event has returned. `receive` never
   * throws, and returns immediately.
   */
  join(receive: (event: E) => void): Promise<BusMember<E>>;
}
