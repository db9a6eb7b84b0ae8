import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Shelf } from "../base/shelf.ts";

/** The typed but unsent texts per device. Owns the drafts of one user. They are stored beyond the page. */
export interface Drafts {
  /** The draft for a device. Changes are stored. */
  readonly of: (deviceId: string) => Signal<string>;
  /** Prepends an unsent text to the draft. */
  readonly putBack: (deviceId: string, text: string) => void;
  /** The devices that have a draft. */
  readonly devices: ReadonlySignal<ReadonlySet<string>>;
}

/** The texts of drafts, and the devices that have one. */
function createKept(shelf: Shelf) {
  const devices = signal<ReadonlySet<string>>(new Set(shelf.names()));
  const note = (deviceId: string, hasDraft: boolean): void => {
    if (devices.peek().has(deviceId) === hasDraft) return;
    const others = [...devices.peek()].filter((each) => each !== deviceId);
    devices.value = new Set(hasDraft ? [...others, deviceId] : others);
  };
  const keep = (deviceId: string, text: string): void => {
    if (text === "") shelf.remove(deviceId);
    else shelf.write(deviceId, text);
    note(deviceId, text !== "");
  };
  return { devices, keep };
}

/** The drafts stored on a shelf. */
export function createDrafts(shelf: Shelf): Drafts {
  const drafts = new Map<string, Signal<string>>();
  const { devices, keep } = createKept(shelf);
  const begin = (deviceId: string): Signal<string> => {
    const draft = signal(shelf.read(deviceId) ?? "");
    draft.subscribe((text) => keep(deviceId, text));
    drafts.set(deviceId, draft);
    return draft;
  };
  const of = (deviceId: string): Signal<string> => drafts.get(deviceId) ?? begin(deviceId);
  const putBack = (deviceId: string, text: string): void => {
    const draft = of(deviceId);
    draft.value = draft.value === "" ? text : `${text}\n${draft.value}`;
  };
  return { devices, of, putBack };
}
