/** A walk down through the messages of one room. */
interface RoomWalk {
  /** All messages of the room with this id or a greater one have been searched. */
  position: number;
}

/** Merges several rooms, from the newest message down. */
export class NewestFirst<Walk extends RoomWalk> {
  /** Sorted by position. */
  readonly #walks: Walk[];

  constructor(walks: Iterable<Walk>) {
    this.#walks = [...walks].toSorted((a, b) => a.position - b.position);
  }

  /** All messages of all rooms with this id or a greater one have been searched; 0 at the end. */
  get floor(): number {
    return this.#walks.at(-1)?.position ?? 0;
  }

  /** Takes the room with the newest message that has not been searched. It counts as done unless it is put back. */
  take(): Walk | undefined {
    return this.#walks.pop();
  }

  /** Puts back a room whose position has moved down. */
  put(walk: Walk): void {
    let [from, to] = [0, this.#walks.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#walks[middle]?.position ?? 0) < walk.position) from = middle + 1;
      else to = middle;
    }
    this.#walks.splice(from, 0, walk);
  }
}
