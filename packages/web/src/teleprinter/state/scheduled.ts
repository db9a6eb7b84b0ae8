import type { DeviceMessageView } from "@telex/core";
import { type ReadonlySignal, signal } from "@preact/signals";
import { createNewest } from "../../base/newest.ts";
import { problemOf } from "../../server/problem.ts";
import type { Server } from "../../server/server.ts";

/** The texts that are sent to one device later, the next one first. Owns their list. */
export interface Scheduled {
  readonly list: ReadonlySignal<readonly DeviceMessageView[]>;
  /** Reads those of a device. If they cannot be read, the list stays as it was. */
  readonly load: (deviceId: string) => void;
  /** Takes in a text that was scheduled just now. */
  readonly receive: (text: DeviceMessageView) => void;
  /**
   * Takes a text back. One that was sent already is not in the list any more, either.
   * @throws the errors of a call
   */
  readonly takeBack: (text: DeviceMessageView) => Promise<void>;
}

const dueAt = (text: DeviceMessageView): number => Date.parse(text.dueAt ?? text.createdAt);

/** No texts yet. */
export function createScheduled(server: Pick<Server["teleprinter"], "schedules" | "unschedule">): Scheduled {
  const list = signal<readonly DeviceMessageView[]>([]);
  const ifNewest = createNewest();
  const without = (id: number): readonly DeviceMessageView[] => list.peek().filter((each) => each.id !== id);
  const show = (found: readonly DeviceMessageView[]): void => {
    list.value = found;
  };
  const load = (deviceId: string): void =>
    void ifNewest(
      () => server.schedules({ deviceId }),
      show,
      () => {},
    );
  return {
    list,
    load,
    receive: (text) => show([...without(text.id), text].toSorted((a, b) => dueAt(a) - dueAt(b))),
    async takeBack({ deviceId, id }) {
      await server.unschedule({ deviceId, id }).catch((error: unknown) => {
        load(deviceId);
        if (problemOf(error) !== "codeNotFound") throw error;
      });
      show(without(id));
    },
  };
}
