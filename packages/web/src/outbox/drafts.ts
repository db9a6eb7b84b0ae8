import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Shelf } from "../base/shelf.ts";

/** The text typed but not sent, per device. Owns the drafts of one user; they outlive the page. */
export interface Drafts {
  /** The draft for a device: whatever is written into it is kept. */
  readonly of: (deviceId: string) => Signal<string>;
  /** Puts a text that was not sent in front of the draft. */
  readonly putBack: (deviceId: string, text: string) => void;
  /** The devices that have a draft. */
  readonly devices: ReadonlySignal<ReadonlySet<string>>;
}

/** The texts of drafts, and which devices have one. */
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

/** The drafts kept on a shelf. */
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
