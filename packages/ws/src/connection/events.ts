import type { LiveEvent } from "@telex/core/transport";
import { channelTable } from "../channels/table.ts";
import { eventFrame } from "../frames/frames.ts";
import { encodeText } from "./wire.ts";

/** The `type` of the frame of each event. */
const frameTypes: Readonly<Record<LiveEvent["kind"], string>> = {
  ...channelTable.rooms.events,
  ...channelTable.teleprinter.events,
};

/**
 * Maximum bytes of one joined buffer. A slow connection drops unsent output in whole buffers, so a buffer must stay small.
 */
const joinedBytes = 256 * 1024;

/** Encodes events as frames. */
export interface EventEncoder {
  /** The frames of these events, in order, joined into few buffers. */
  encode(events: readonly LiveEvent[]): readonly Buffer[];
}

function join(frames: readonly Buffer[]): readonly Buffer[] {
  const joined: Buffer[] = [];
  let open: Buffer[] = [];
  let bytes = 0;
  const shut = (): void => {
    if (open.length > 0) joined.push(Buffer.concat(open, bytes));
    open = [];
    bytes = 0;
  };
  for (const frame of frames) {
    if (bytes + frame.length > joinedBytes) shut();
    open.push(frame);
    bytes += frame.length;
  }
  shut();
  return joined;
}

/** The encoded events of one tick, by identity. */
class Tick {
  readonly #frames = new Map<LiveEvent, Buffer>();
  readonly #joined = new Map<readonly LiveEvent[], readonly Buffer[]>();

  encode(events: readonly LiveEvent[]): readonly Buffer[] {
    const existing = this.#joined.get(events);
    if (existing !== undefined) return existing;
    const frames = events.map((event) => this.#frameOf(event));
    const buffers = frames.length === 1 ? frames : join(frames);
    this.#joined.set(events, buffers);
    return buffers;
  }

  #frameOf(event: LiveEvent): Buffer {
    const existing = this.#frames.get(event);
    if (existing !== undefined) return existing;
    const frame = encodeText(eventFrame(frameTypes[event.kind], event.data));
    this.#frames.set(event, frame);
    return frame;
  }
}

/**
 * Creates an encoder that encodes each event once per tick, and joins the frames of each array once, for all connections that
 * receive it. Its cache dies with the tick, because a longer-lived map would keep its former entries from the collection of young
 * garbage, even if it were cleared or weak.
 */
export function createEventEncoder(): EventEncoder {
  let tick: Tick | null = null;
  const begin = (): Tick => {
    setImmediate(() => {
      tick = null;
    });
    return new Tick();
  };
  return { encode: (events) => (tick ??= begin()).encode(events) };
}
