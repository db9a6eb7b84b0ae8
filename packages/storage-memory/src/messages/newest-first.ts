/** Goes down through the messages of one room. */
interface RoomWalk {
  /** Every message of the room with this id or a greater one was looked at. */
  position: number;
}

/** Reads several rooms together, from the newest message down. */
export class NewestFirst<Walk extends RoomWalk> {
  /** The one with the greatest position last. */
  readonly #walks: Walk[];

  constructor(walks: Iterable<Walk>) {
    this.#walks = [...walks].toSorted((a, b) => a.position - b.position);
  }

  /** The search has passed every message of all rooms with this id or a greater one; 0 at the end. */
  get floor(): number {
    return this.#walks.at(-1)?.position ?? 0;
  }

  /** The room with the newest message that was not looked at. It counts as done unless it is put back. */
  take(): Walk | undefined {
    return this.#walks.pop();
  }

  /** Takes a room back that has gone down. */
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
