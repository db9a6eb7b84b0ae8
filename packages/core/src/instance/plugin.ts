import type { LogFields } from "@telex/ground/log";
import type { EmbeddingModel } from "../ai/embedding-model.ts";
import type { ChatModel } from "../ai/model.ts";
import type { AvatarSource } from "@telex/files";
import type { Gateway } from "../networks/gateway.ts";
import type { Observer } from "../observe/observer.ts";
import type { MessageView } from "../messages/contract.ts";
import type { DeviceMessageView, DeviceView } from "../teleprinter/contract.ts";
import type { Telex } from "./telex.ts";
import type { TokenVerifier } from "../users/verifier.ts";

/** Events of an instance, published after the change is durable. */
interface TelexEvents {
  /** A user was added, changed or removed, by any process. Published within a second; the same change may come twice. */
  "user.changed": { readonly userId: number };
  /** The same for a room, its members or their cards. */
  "room.changed": { readonly groupId: number };
  "message.created": MessageView;
  "device.message": DeviceMessageView;
  "device.presence": DeviceView;
}

type TelexListeners = { readonly [E in keyof TelexEvents]?: (event: TelexEvents[E]) => void | Promise<void> };

/**
 * The ports that a plug-in can fill. At most one plug-in fills each, except `models`, `embeddingModels` and `gateways`: each may
 * add to these.
 */
export interface PluginPorts {
  readonly models?: ReadonlyMap<string, ChatModel>;
  readonly embeddingModels?: ReadonlyMap<string, EmbeddingModel>;
  readonly tokens?: TokenVerifier;
  readonly gateways?: readonly Gateway[];
  readonly avatarSource?: AvatarSource;
}

/** A plug-in: a value that fills ports, listens to events, or starts its own services together with Telex. */
export interface Plugin extends PluginPorts {
  /** Names it in logs and errors. */
  readonly name: string;
  readonly on?: TelexListeners;
  /** Sees calls, responses and replies, for metrics and traces. Any number of plug-ins may have one. */
  readonly observer?: Observer;
  /** Called once when Telex is made. What it returns is called, and awaited, when Telex closes. */
  readonly start?: (telex: Telex) => Promise<(() => Promise<void>) | undefined>;
}

/** Keeps the exact type of a plug-in. */
export const definePlugin = <const P extends Plugin>(plugin: P): P => plugin;

/** Calls the listeners of events. A failure of one is logged, and the others are called. */
export interface EventHub {
  emit<E extends keyof TelexEvents>(event: E, data: TelexEvents[E]): void;
}

export const createEventHub = (
  plugins: readonly Plugin[],
  failed: (event: string, fields: LogFields, cause: unknown) => void,
): EventHub => ({
  emit(event, data) {
    for (const { name, on } of plugins) {
      const listener = on?.[event];
      if (listener === undefined) continue;
      const told = (async () => listener(data))();
      told.catch((cause: unknown) => failed("plugin.listener_failed", { plugin: name, event }, cause));
    }
  },
});
