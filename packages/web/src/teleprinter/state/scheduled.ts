import type { DeviceMessageView } from "@telex/core";
import { type ReadonlySignal, signal } from "@preact/signals";
import { createNewest } from "../../base/newest.ts";
import { problemOf } from "../../server/problem.ts";
import type { Server } from "../../server/server.ts";

/** The scheduled texts of one device, the next one first. Owns their list. */
export interface Scheduled {
  readonly list: ReadonlySignal<readonly DeviceMessageView[]>;
  /** Loads the list of a device. If that fails, the list does not change. */
  readonly load: (deviceId: string) => void;
  /** Adds a text that was just scheduled. */
  readonly receive: (text: DeviceMessageView) => void;
  /**
   * Cancels a text. A text that was already sent also leaves the list.
   * @throws the errors of the server
   */
  readonly takeBack: (text: DeviceMessageView) => Promise<void>;
}

const dueAt = (text: DeviceMessageView): number => Date.parse(text.dueAt ?? text.createdAt);

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
