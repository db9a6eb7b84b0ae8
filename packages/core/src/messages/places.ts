/** The place of one message among those that its connection sends to the same room. */
export interface Place {
  /** Resolves when every message before has begun to be stored, or has failed. */
  reached(): Promise<void>;
  /** The next message may begin. To be called once, whatever happened. */
  leave(): void;
}

/** Messages that a connection sends to a room are stored in the order in which they came, however long each one prepares. */
export interface Places {
  /**
   * Takes the next place. Must be called before the first `await` of the message.
   * @param origin the connection; undefined for a message that has none and waits for nothing
   */
  take(origin: object | undefined, groupId: number): Place;
}

/** A message that has not left its place, or has left it before one in front did. */
interface Held {
  hasLeft: boolean;
  /** Called when the place becomes the first one. */
  onFirst: (() => void) | null;
}

const unplaced: Place = { reached: () => Promise.resolve(), leave() {} };

/** Takes the last place of a line. */
function takeLast(line: Held[], onEmpty: () => void): Place {
  const held: Held = { hasLeft: false, onFirst: null };
  line.push(held);
  return {
    reached: () => (line[0] === held ? Promise.resolve() : new Promise((resolve) => void (held.onFirst = resolve))),
    leave() {
      held.hasLeft = true;
      while (line[0]?.hasLeft === true) line.shift();
      line[0]?.onFirst?.();
      if (line.length === 0) onEmpty();
    },
  };
}

/** Places of messages. Nothing is being prepared. */
export function createPlaces(): Places {
  const roomsOf = new WeakMap<object, Map<number, Held[]>>();
  return {
    take(origin, groupId) {
      if (origin === undefined) return unplaced;
      const rooms = roomsOf.get(origin) ?? new Map<number, Held[]>();
      roomsOf.set(origin, rooms);
      const line = rooms.get(groupId) ?? [];
      rooms.set(groupId, line);
      return takeLast(line, () => rooms.delete(groupId));
    },
  };
}
