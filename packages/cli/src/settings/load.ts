import type { ChatModel } from "@telex/core";
import { suggestion } from "@telex/core/options";
import { UsageError } from "../errors/errors.ts";
import { readConfigFile } from "./file.ts";
import type { ConfigFile } from "./file.ts";
import type { Given, Kind } from "./kind.ts";
import { flagOf, variableOf } from "./setting.ts";
import { allSettings } from "./table.ts";
import type { Read, Setting } from "./setting.ts";
import { type Sources, unknownVariables } from "./unknown-variables.ts";

/** The effective value of a setting, masked. */
interface Entry {
  readonly name: string;
  /** As a person would write it. */
  readonly shown: string;
  /** As a file would contain it. */
  readonly value: unknown;
  /** `default`, the file, the variable or the flag. */
  readonly origin: string;
  readonly description: string;
  /** True if a part of the value is not shown. */
  readonly isSecret: boolean;
}

/** The effective settings. */
export interface Config {
  readonly get: Read;
  /** The rank of the place that a setting was given in: 0 for a default, 1 for a file, 2 for the environment, 3 for a flag. */
  readonly rank: (setting: Setting<unknown>) => number;
  readonly entries: () => readonly Entry[];
  /** The models that the configuration file makes. */
  readonly models: ReadonlyMap<string, ChatModel>;
  /** The key `aiTools` of the configuration file, or undefined. */
  readonly aiTools: unknown;
  /** Messages for the operator about settings that are ignored. */
  readonly warnings: readonly string[];
}

interface Origin {
  /** 1 in a file, 2 in the environment, 3 as a flag. */
  readonly rank: number;
  readonly given: Given;
  readonly origin: string;
}

/** The source of each setting that is not left at its fallback. Adds to `warnings` what it ignores. */
function findOrigins(sources: Sources, file: ConfigFile | null, warnings: string[]): ReadonlyMap<string, Origin> {
  const origins = new Map<string, Origin>();
  for (const { name } of allSettings) {
    const origin = fromFlag(name, sources) ?? fromVariable(name, sources, warnings) ?? fromFile(name, file);
    if (origin !== null) origins.set(name, origin);
  }
  return origins;
}

/**
 * Loads the settings: defaults, then the file, the environment, and flags.
 * @throws UsageError for an unknown key of the file, and for a value that does not fit its setting
 */
export async function loadConfig(sources: Sources): Promise<Config> {
  const file = await readConfigFile(sources.cwd, sources.file);
  if (file !== null) refuseUnknownKeys(file);
  const warnings: string[] = unknownVariables(sources.env);
  const origins = findOrigins(sources, file, warnings);
  const get: Read = (setting) => {
    const origin = origins.get(setting.name);
    return origin === undefined ? setting.fallback(get) : parse(setting, origin);
  };
  for (const setting of allSettings) get(setting);
  const rank = ({ name }: Setting<unknown>): number => origins.get(name)?.rank ?? 0;
  const entries = () => allSettings.map((setting) => entry(setting, get, origins));
  return { get, rank, entries, models: file?.models ?? new Map(), aiTools: file?.aiTools, warnings };
}

function parse<T>(setting: Setting<T>, { given, origin }: Origin): T {
  const value = setting.kind.parse(given);
  if (value !== undefined) return value;
  const shown = setting.mask === undefined ? JSON.stringify(given) : "what was given";
  throw new UsageError(`${origin} must be ${setting.kind.expected}; ${shown} is not.`);
}

function entry<T>(setting: Setting<T>, get: Read, origins: ReadonlyMap<string, Origin>): Entry {
  const { name, kind, description, mask = (text) => text } = setting;
  const value = get(setting);
  const whole = kind.show(value);
  const shown = mask(whole);
  const origin = origins.get(name)?.origin ?? "default";
  return { name, shown, value: asGiven(value, kind, mask) ?? shown, origin, description, isSecret: shown !== whole };
}

/** A value that a file can contain directly; null for no value; undefined for one that a file contains as a text. */
function asGiven<T>(value: T, kind: Kind<T>, mask: (shown: string) => string): Given | null | undefined {
  if (value === null) return null;
  if (typeof value === "string" || !isGiven(value) || kind.parse(value) !== value) return undefined;
  return typeof value === "object" ? value.map(mask) : value;
}

function fromFlag(name: string, { flags }: Sources): Origin | null {
  const written = flags[name];
  return typeof written === "string" ? { rank: 3, given: written, origin: flagOf(name) } : null;
}

/** Kubernetes sets `<SERVICE>_PORT=tcp://...` for each service, and a service may be called telex. */
const serviceLink = /^(tcp|udp|sctp):\/\//;

function fromVariable(name: string, { env }: Sources, warnings: string[]): Origin | null {
  const variable = variableOf(name);
  const written = env[variable];
  if (written === undefined || written === "") return null;
  if (name === "port" && serviceLink.test(written)) {
    warnings.push(`${variable}=${written} was set by Kubernetes and is ignored; give the port as --port or in a file.`);
    return null;
  }
  return { rank: 2, given: written, origin: variable };
}

function fromFile(name: string, file: ConfigFile | null): Origin | null {
  const written = file?.values[name];
  if (file === null || written === undefined || written === null) return null;
  if (isGiven(written)) return { rank: 1, given: written, origin: `${name} in ${file.path}` };
  throw new UsageError(`${name} in ${file.path} must be a text, a number, a boolean or a list of texts.`);
}

const isGiven = (value: unknown): value is Given =>
  ["string", "number", "boolean"].includes(typeof value) ||
  (Array.isArray(value) && value.every((item) => typeof item === "string"));

function refuseUnknownKeys({ path, values }: ConfigFile): void {
  const settingNames = allSettings.map(({ name }) => name);
  const unknown = Object.keys(values).find((key) => !settingNames.includes(key));
  if (unknown === undefined) return;
  throw new UsageError(`${path} has the unknown key "${unknown}".${suggestion(unknown, settingNames)}`);
}
