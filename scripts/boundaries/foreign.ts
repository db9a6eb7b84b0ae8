import { type Finding, type Source, visit } from "./source.ts";

/**
 * Allowed symbols of other packages, each with the only file that reads it. The API of OpenTelemetry keeps what an SDK registered under
 * this symbol in all versions 1.x; the server reads it to load the API only if there is an SDK.
 */
const allowed: Readonly<Record<string, string>> = {
  "opentelemetry.js.api.1": "packages/cli/src/server/observing.ts",
};

const privateField = (name: string): string =>
  `reads "${name}", a private field of another package: use what the package documents`;

const foreignSymbol = (name: string): string =>
  `uses Symbol.for("${name}") of another package: use what the package documents`;

/** The private fields and foreign symbols that a file uses, with their offsets. */
function reachesOf({ path, program }: Source): readonly (readonly [start: number, message: string])[] {
  const reaches: [number, string][] = [];
  visit(program, {
    MemberExpression({ property, computed, start }) {
      const name = computed && property.type === "Literal" ? property.value : null;
      if (typeof name === "string" && name.startsWith("~")) reaches.push([start, privateField(name)]);
    },
    Property({ key, start }) {
      const name = key.type === "Literal" ? key.value : null;
      if (typeof name === "string" && name.startsWith("~")) reaches.push([start, privateField(name)]);
    },
    CallExpression({ callee, arguments: [name], start }) {
      const isFor =
        callee.type === "MemberExpression" &&
        callee.object.type === "Identifier" &&
        callee.object.name === "Symbol" &&
        callee.property.type === "Identifier" &&
        callee.property.name === "for";
      if (!isFor || name?.type !== "Literal" || typeof name.value !== "string") return;
      const isKnown = name.value.startsWith("telex.") || allowed[name.value] === path;
      if (!isKnown) reaches.push([start, foreignSymbol(name.value)]);
    },
  });
  return reaches;
}

/** Published code uses only what other packages document: no field that begins with `~`, and no symbol of another package. */
export const checkForeign = (sources: readonly Source[]): Finding[] =>
  sources
    .filter(({ isTest }) => !isTest)
    .flatMap((source) =>
      reachesOf(source).map(([start, message]) => ({
        path: source.path,
        line: source.lineOf(start),
        level: "error" as const,
        message,
      })),
    );
