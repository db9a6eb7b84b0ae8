import type { LiveEvent } from "@telex/core/transport";
import { channelTable } from "../channels/table.ts";
import { eventFrame } from "./frames.ts";
import { encodeText } from "./wire.ts";

/** The `type` of the frame that tells an event. */
const frameTypes: Readonly<Record<LiveEvent["kind"], string>> = {
  ...channelTable.rooms.events,
  ...channelTable.teleprinter.events,
};

/**
 * Bytes of one joined buffer. A slow connection drops what its socket has not taken in whole buffers, so one must not
 * hold too much.
 */
const joinedBytes = 256 * 1024;

/** Ticks events into frames. */
export interface EventEncoder {
  /** The frames of these events, in order, joined into as few buffers as sensible. */
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

/** What has been encoded in one tick of the event loop, by identity. */
class Tick {
  readonly #frames = new Map<LiveEvent, Buffer>();
  readonly #joined = new Map<readonly LiveEvent[], readonly Buffer[]>();

  encode(events: readonly LiveEvent[]): readonly Buffer[] {
    const known = this.#joined.get(events);
    if (known !== undefined) return known;
    const frames = events.map((event) => this.#frameOf(event));
    const buffers = frames.length === 1 ? frames : join(frames);
    this.#joined.set(events, buffers);
    return buffers;
  }

  #frameOf(event: LiveEvent): Buffer {
    const known = this.#frames.get(event);
    if (known !== undefined) return known;
    const frame = encodeText(eventFrame(frameTypes[event.kind], event.data));
    this.#frames.set(event, frame);
    return frame;
  }
}

/**
 * An encoder that encodes each event once in a tick of the event loop, and joins the frames of each array once, however many
 * connections they go to. What it remembers dies with the tick: a map that outlives it keeps all that it ever held from the
 * collection of young garbage, were it cleared or weak.
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
