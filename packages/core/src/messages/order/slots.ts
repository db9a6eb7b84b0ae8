/** The turn of one message among those that its connection sends to the same room. */
export interface Slot {
  /** Resolves when every message before has begun to be stored, or has failed. */
  reached(): Promise<void>;
  /** Lets the next message begin. Call it exactly once. */
  leave(): void;
}

/** Stores the messages that a connection sends to a room in the order in which they arrive, however long the preparation of each takes. */
export interface Slots {
  /**
   * Takes the next slot. Must be called before the first `await` of the message.
   * @param origin the connection; undefined for a message that has none and waits for nothing
   */
  take(origin: object | undefined, groupId: number): Slot;
}

const freeSlot: Slot = { reached: () => Promise.resolve(), leave() {} };

export function createSlots(): Slots {
  const roomsOf = new WeakMap<object, Map<number, Promise<void>>>();
  return {
    take(origin, groupId) {
      if (origin === undefined) return freeSlot;
      const rooms = roomsOf.get(origin) ?? new Map<number, Promise<void>>();
      roomsOf.set(origin, rooms);
      const before = rooms.get(groupId) ?? Promise.resolve();
      const { promise: left, resolve: leave } = Promise.withResolvers<void>();
      const last = before.then(() => left);
      rooms.set(groupId, last);
      void last.then(() => rooms.get(groupId) === last && rooms.delete(groupId));
      return { reached: () => before, leave };
    },
  };
}
