import type { LogFields } from "@telex/ground/log";
import type { MessageView } from "../messages/contract.ts";
import type { DeviceMessageView, DeviceView } from "../teleprinter/contract.ts";

/** Events of an instance, published after the change is durable. */
interface TelexEvents {
  /** A user was added, changed or removed, by any process. Published within a second; the same change may come twice. */
  "user.changed": { readonly userId: number };
  /** The same for a room, its members or their cards. */
  "room.changed": { readonly groupId: number };
  "message.created": MessageView;
  "device.message": DeviceMessageView;
  "device.presence": DeviceView;
  /**
   * A connection with `more=1` of a signed-in browser was opened or has sent a frame, or, if `isOpen` is false, has ended. Published by the
   * server that has the connection, and not stored.
   */
  "session.active": { readonly sessionId: string; readonly connection: object; readonly isOpen: boolean };
}

/** Listeners, by the names of the events. */
export type TelexListeners = { readonly [E in keyof TelexEvents]?: (event: TelexEvents[E]) => void | Promise<void> };

/** A plug-in that is made of an instance. */
export interface LatePlugin {
  /** Names it in logs and errors. */
  readonly name: string;
  readonly on?: TelexListeners;
  /** Called when Telex closes, and awaited for up to `closeWait`. */
  readonly end?: () => Promise<void>;
}

/** Calls the listeners of events. A failure of one is logged, and the others are called. */
export interface EventHub {
  emit<E extends keyof TelexEvents>(event: E, data: TelexEvents[E]): void;
  /** Lets a further plug-in listen. */
  add(plugin: LatePlugin): void;
}

export function createEventHub(
  plugins: readonly LatePlugin[],
  failed: (event: string, fields: LogFields, cause: unknown) => void,
): EventHub {
  const all: LatePlugin[] = plugins.map(({ name, on = {} }) => ({ name, on }));
  return {
    emit(event, data) {
      for (const { name, on } of all) {
        const listener = on?.[event];
        if (listener === undefined) continue;
        const fail = (cause: unknown): void => failed("plugin.listener_failed", { plugin: name, event }, cause);
        try {
          const handled = listener(data);
          if (handled !== undefined) Promise.resolve(handled).catch(fail);
        } catch (cause) {
          fail(cause);
        }
      }
    },
    add: (plugin) => void all.push(plugin),
  };
}
