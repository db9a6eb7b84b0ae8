import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Shelf } from "../shelf.ts";

/** What has been typed and not sent, per device. Owns the drafts of one user; they outlive the page. */
export interface Drafts {
  /** The draft for a device: whatever is written into it is kept. */
  readonly of: (deviceId: string) => Signal<string>;
  /** The devices that have a draft. */
  readonly devices: ReadonlySignal<ReadonlySet<string>>;
}

/** The drafts kept on a shelf. */
export function createDrafts(shelf: Shelf): Drafts {
  const drafts = new Map<string, Signal<string>>();
  const devices = signal<ReadonlySet<string>>(new Set(shelf.names()));
  const keep = (deviceId: string, text: string): void => {
    const had = devices.peek().has(deviceId);
    if (text === "") shelf.remove(deviceId);
    else shelf.write(deviceId, text);
    if (had === (text !== "")) return;
    const others = [...devices.peek()].filter((each) => each !== deviceId);
    devices.value = new Set(text === "" ? others : [...others, deviceId]);
  };
  return {
    devices,
    of(deviceId) {
      const known = drafts.get(deviceId);
      if (known !== undefined) return known;
      const draft = signal(shelf.read(deviceId) ?? "");
      draft.subscribe((text) => keep(deviceId, text));
      drafts.set(deviceId, draft);
      return draft;
    },
  };
}
