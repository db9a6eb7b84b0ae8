import { computed, type ReadonlySignal, signal } from "@preact/signals";

/** The number of texts that devices sent while their paper was closed. */
export interface Unread {
  readonly counts: ReadonlySignal<ReadonlyMap<string, number>>;
  /** The number of unread texts of all devices. */
  readonly total: ReadonlySignal<number>;
  readonly add: (deviceId: string) => void;
  readonly clear: (deviceId: string) => void;
}

export function createUnread(): Unread {
  const counts = signal<ReadonlyMap<string, number>>(new Map());
  return {
    counts,
    total: computed(() => [...counts.value.values()].reduce((sum, count) => sum + count, 0)),
    add(deviceId) {
      counts.value = new Map([...counts.value, [deviceId, (counts.value.get(deviceId) ?? 0) + 1]]);
    },
    clear(deviceId) {
      if (counts.value.has(deviceId)) counts.value = new Map([...counts.value].filter(([id]) => id !== deviceId));
    },
  };
}
