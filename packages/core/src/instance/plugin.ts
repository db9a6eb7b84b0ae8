import type { EmbeddingModel } from "../ai/embedding-model.ts";
import type { ChatModel, ToolAnswers } from "../ai/model.ts";
import type { AvatarSource } from "@telex/files";
import type { Gateway } from "../networks/gateway.ts";
import type { Observer } from "../observe/observer.ts";
import type { TelexListeners } from "./events.ts";
import type { Telex } from "./telex.ts";
import type { TokenVerifier } from "../users/verifier.ts";

/**
 * The ports that a plug-in can fill. At most one plug-in fills each, except `models`, `embeddingModels` and `gateways`: each may
 * add to these.
 */
export interface PluginPorts {
  readonly models?: ReadonlyMap<string, ChatModel>;
  readonly embeddingModels?: ReadonlyMap<string, EmbeddingModel>;
  /** Takes the answers of people whether a model may call a tool. */
  readonly toolAnswers?: ToolAnswers;
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
  /** Called once when Telex is made. What it returns is called when Telex closes, and awaited for up to `closeWait`. */
  readonly start?: (telex: Telex) => Promise<(() => Promise<void>) | undefined>;
}

/** Keeps the exact type of a plug-in. */
export const definePlugin = <const P extends Plugin>(plugin: P): P => plugin;
