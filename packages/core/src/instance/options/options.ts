import { hostname } from "node:os";
import type { FamilyAccess } from "@telex/ground/contract";
import type { Locale } from "@telex/ground/errors";
import { silentLogger } from "@telex/ground/log";
import { createZone, systemClock, type Zone } from "@telex/ground/time";
import type { EmbeddingModel } from "../../ai/embedding-model.ts";
import { type ChatModel, echoModel, type ToolAnswers } from "../../ai/model.ts";
import { assertOrphanAge, boundPuts, longestPutOf, type AvatarSource, noAvatarSource } from "@telex/files";
import type { Bus } from "../bus-events.ts";
import { defaultLimits } from "../limits.ts";
import type { Gateway } from "../../networks/gateway.ts";
import { checkTelexOptions } from "./kinds.ts";
import { observeBlobs } from "../../observe/blobs.ts";
import { joinObservers, type Observer } from "../../observe/observer.ts";
import type { Plugin, PluginPorts } from "../plugin.ts";
import { assertStorage } from "../storage.ts";
import type { TelexOptions } from "./telex-options.ts";
import type { TokenVerifier } from "../../users/verifier.ts";

/** The options of an instance with every default filled in. */
export interface CompleteOptions extends Required<
  Omit<TelexOptions, "timeZone" | "tokens" | "otherTokens" | "access" | "limits" | "bus" | "baseUrl">
> {
  /** Without a trailing slash; null if it is not set. */
  readonly baseUrl: string | null;
  /** Null: this is the only server. */
  readonly bus: Bus | null;
  /** Undefined: the token store of the storage. */
  readonly tokens: TokenVerifier | undefined;
  readonly otherTokens: TokenVerifier | undefined;
  readonly toolAnswers: ToolAnswers;
  readonly avatarSource: AvatarSource;
  readonly access: FamilyAccess;
  readonly limits: typeof defaultLimits;
  readonly zone: Zone;
  /** `locale` outside of the interface and of rooms. */
  readonly otherLocale: Locale;
  /** The observers of the plug-ins, as one. */
  readonly observer: Observer;
}

const publicAccess: FamilyAccess = {
  images: "public",
  avatars: "public",
  codes: "public",
  downloads: "public",
  pairing: "public",
};

/** The given options without undefined values, which count as missing. */
const given = <T>(values: Partial<T> = {}): Partial<T> => {
  const defined: Partial<T> = { ...values };
  for (const name in defined) if (defined[name] === undefined) delete defined[name];
  return defined;
};

/** Fills a port: with the option, or from the one plug-in that has it. */
function fill<P extends Exclude<keyof PluginPorts, "models" | "embeddingModels" | "gateways">>(
  port: P,
  options: TelexOptions,
  plugins: readonly Plugin[],
): TelexOptions[P] | PluginPorts[P] | undefined {
  const fillers = plugins.filter((plugin) => plugin[port] !== undefined);
  const names = [...(options[port] === undefined ? [] : ["the options"]), ...fillers.map(({ name }) => name)];
  if (names.length > 1) throw new TypeError(`More than one fills the port ${port}: ${names.join(", ")}.`);
  return options[port] ?? fillers[0]?.[port];
}

interface NamedModels {
  readonly models: ReadonlyMap<string, ChatModel>;
  readonly embeddingModels: ReadonlyMap<string, EmbeddingModel>;
}

/** The models of the options and of all plug-ins. Without any chat model, there is the built-in one. */
function modelsOf(options: TelexOptions, plugins: readonly Plugin[]): NamedModels {
  const sources: readonly PluginPorts[] = [options, ...plugins];
  const named = sources.flatMap((source) => [...(source.models ?? [])]);
  const models = named.length === 0 ? [["echo", echoModel] as const] : named;
  const embeddingModels = sources.flatMap((source) => [...(source.embeddingModels ?? [])]);
  const names = [...models, ...embeddingModels].map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new TypeError(`Two models are named ${twice}.`);
  return { models: new Map(models), embeddingModels: new Map(embeddingModels) };
}

/** The gateways of the options and of all plug-ins. */
function gatewaysOf({ gateways = [] }: TelexOptions, plugins: readonly Plugin[]): readonly Gateway[] {
  const all = [...gateways, ...plugins.flatMap((plugin) => plugin.gateways ?? [])];
  const twice = all.find(({ name }, index) => all.findIndex((other) => other.name === name) !== index);
  if (twice !== undefined) throw new TypeError(`Two gateways are named ${twice.name}.`);
  return all;
}

/**
 * Fills in the defaults.
 * @throws TypeError when an option is unknown or of the wrong type, a part is missing or a port is filled twice; RangeError for an unknown time zone
 * and for an `orphanAge` that is too short
 */
export function completeOptions(options: TelexOptions): CompleteOptions {
  checkTelexOptions(options);
  assertStorage(options.storage);
  const plugins = options.plugins ?? [];
  const limits = { ...defaultLimits, ...given(options.limits) };
  assertOrphanAge(limits);
  const observer = joinObservers(plugins.flatMap((plugin) => plugin.observer ?? []));
  return {
    storage: options.storage,
    blobs: observeBlobs(boundPuts(options.blobs, longestPutOf(limits)), observer),
    observer,
    images: options.images,
    tokens: fill("tokens", options, plugins),
    otherTokens: options.otherTokens,
    baseUrl: options.baseUrl?.replace(/\/+$/, "") ?? null,
    gateways: gatewaysOf(options, plugins),
    unknownRooms: options.unknownRooms ?? "ignore",
    toolAnswers: fill("toolAnswers", options, plugins) ?? { answer: () => Promise.resolve(false) },
    avatarSource: fill("avatarSource", options, plugins) ?? noAvatarSource,
    ...modelsOf(options, plugins),
    bus: options.bus ?? null,
    serverName: options.serverName ?? hostname(),
    locale: options.locale ?? "zh-CN",
    otherLocale: options.locale ?? "en",
    zone: createZone(options.timeZone ?? "UTC"),
    access: { ...publicAccess, ...given(options.access) },
    allocation: options.allocation ?? { unit: "count", max: 100, period: "daily" },
    limits,
    plugins,
    clock: options.clock ?? systemClock,
    log: options.log ?? silentLogger,
    checkOutput: options.checkOutput ?? false,
  };
}
