/** The most requests of one place that wait, including the one that is being answered. */
const mostWaiting = 8;

/** The work of a place, and the answer where too much waits. */
type PlaceWork = Readonly<Record<"work" | "refuse", () => Promise<void>>>;

/** Runs the work of each place one after the other. The work must not reject. */
export function createLines(begin: () => () => void): (place: string, work: PlaceWork) => void {
  const lines = new Map<string, { last: Promise<void>; count: number }>();
  /** Begins with `work` when its turn has come; with `refuse` immediately, where too much waits. */
  return (place: string, { work, refuse }: PlaceWork): void => {
    const line = lines.get(place) ?? { last: Promise.resolve(), count: 0 };
    lines.set(place, line);
    line.count += 1;
    const over = begin();
    const leave = (): void => {
      over();
      line.count -= 1;
      if (line.count === 0) lines.delete(place);
    };
    if (line.count > mostWaiting) void refuse().finally(leave);
    else line.last = line.last.then(work).finally(leave);
  };
}
