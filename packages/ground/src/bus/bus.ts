/** The place of one server on a bus. */
export interface BusMember<E> {
  /**
   * Publishes to the other members. MUST return without waiting and MUST NOT throw, whatever happens to the network: what cannot be
   * sent is lost. MUST NOT change the event.
   */
  publish(event: E): void;
  /**
   * Subscribes this member to the events of a topic: see `busTopicOf`. Events without a topic reach every member.
   * Resolves when they arrive, or soon if the network is gone; MUST NOT reject. It is not called again for a topic before
   * `unfollow`. A bus MAY give a member events of topics that it does not follow.
   */
  follow(topic: string): Promise<void>;
  /** The member no longer needs the events of a topic. MUST return without waiting, and MUST NOT throw. */
  unfollow(topic: string): void;
  /** Leaves the bus. When it has resolved, `receive` MUST NOT be called again. Resolves also if the network is gone. */
  leave(): Promise<void>;
}

/**
 * Connects the servers of one installation. A bus MAY lose, double, delay and reorder events: the store is the truth,
 * and a receiver that misses something reads it there. Lost events make changes visible later, never wrongly.
 */
export interface Bus<E> {
  /**
   * Adds a server, and resolves when it receives the later events of the others. MAY resolve earlier if the network is
   * gone: the member then receives events that are published after the network has come back.
   *
   * The bus MUST call `receive` with an event that equals the published one. It MUST NOT call it for events that the member
   * published itself, for events of another installation, or before the `publish` of the event has returned. It never
   * throws, and returns immediately.
   */
  join(receive: (event: E) => void): Promise<BusMember<E>>;
}
