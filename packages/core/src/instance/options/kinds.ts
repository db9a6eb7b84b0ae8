import { families, interfaceLimits } from "@telex/ground/contract";
import { locales } from "@telex/ground/errors";
import { checkOptions, optionKinds, type OptionKind, type OptionKinds } from "@telex/ground/options";
import { defaultLimits } from "../limits.ts";
import type { TelexOptions } from "./telex-options.ts";

const { text, flag, object, map, list, count, countUpTo, oneOf, port, shape } = optionKinds;

const sameFor = (names: readonly string[], kind: OptionKind): Readonly<Record<string, OptionKind>> =>
  Object.fromEntries(names.map((name) => [name, kind]));

const httpUrl: OptionKind = {
  expected: "an address that begins with http:// or https://",
  fits: (value) => typeof value === "string" && URL.canParse(value) && /^https?:\/\//.test(value),
};

const kinds: OptionKinds<TelexOptions> = {
  storage: object,
  blobs: port(["put", "open"], "createFsBlobs() of @telex/blobs/fs"),
  images: port(["identify", "text"], "createSharpEngine() of @telex/image-text/sharp"),
  tokens: port(["authenticate"]),
  otherTokens: port(["authenticate"]),
  baseUrl: httpUrl,
  gateways: list,
  unknownRooms: oneOf("ignore", "create"),
  models: map,
  embeddingModels: map,
  toolAnswers: port(["answer"]),
  avatarSource: port(["fetch"]),
  bus: port(["join"], "createLocalBus()"),
  serverName: {
    expected: "1 to 64 letters, digits, - or _",
    fits: (value) => typeof value === "string" && /^[\w-]{1,64}$/.test(value),
  },
  locale: oneOf(...locales),
  timeZone: text,
  access: shape(sameFor(families, oneOf("public", "token"))),
  allocation: shape({ unit: oneOf("count", "token"), max: count, period: oneOf("daily", "weekly", "monthly") }),
  limits: shape({
    ...sameFor(Object.keys(defaultLimits), count),
    messageText: countUpTo(interfaceLimits.messageText),
    messageSegments: countUpTo(interfaceLimits.messageSegments),
  }),
  plugins: list,
  clock: port(["now", "after"]),
  log: port(["info", "warn", "error"]),
  checkOutput: flag,
};

/**
 * Checks the options of `createTelex` for callers whose options no compiler has checked.
 * @throws TypeError for an option that is unknown, missing or of the wrong type
 */
export function checkTelexOptions(options: TelexOptions): void {
  checkOptions("createTelex", options, kinds);
  for (const name of ["storage", "blobs", "images"] as const) {
    if (options[name] === undefined)
      throw new TypeError(`createTelex needs the option "${name}": ${kinds[name].expected}.`);
  }
}
