/** Counts of an instance since it was made, and its open work. The cost of reading depends only on the number of open sockets. */
export interface Figures {
  /** Calls of operations. A refusal is an error of the caller, a failure is one of the server. */
  readonly calls: { readonly begun: number; readonly refused: number; readonly failed: number };
  /** Calls, responses and replies that are in progress. */
  readonly running: number;
  /** Refused because a quota was used up, also for answers in rooms and on devices. */
  readonly quotaRefusals: number;
  /** Messages from rooms of external networks for which there is no chat room. They were not stored. */
  readonly unknownRooms: number;
  /** Events that were written to connections: news of rooms, and texts for devices. */
  readonly delivered: { readonly rooms: number; readonly devices: number };
  /** Open sockets of people and devices that are signed in, by channel. */
  readonly sockets: Readonly<Record<string, number>>;
  /** Long polls that wait for a text. */
  readonly polls: number;
}

interface FigureSources {
  readonly tally: Tally;
  readonly live: { readonly byChannel: () => Readonly<Record<string, number>> };
  readonly waiting: { readonly size: number };
}

export function figuresOf({ tally, live, waiting }: FigureSources, work: { readonly running: number }): Figures {
  const { begun, refused, failed, quotaRefusals, unknownRooms, toRooms, toDevices } = tally;
  return {
    calls: { begun, refused, failed },
    running: work.running,
    quotaRefusals,
    unknownRooms,
    delivered: { rooms: toRooms, devices: toDevices },
    sockets: live.byChannel(),
    polls: waiting.size,
  };
}

/** Counts what happens. Plain numbers, because counting happens on the paths that are measured. */
export class Tally {
  begun = 0;
  refused = 0;
  failed = 0;
  quotaRefusals = 0;
  unknownRooms = 0;
  toRooms = 0;
  toDevices = 0;
}
