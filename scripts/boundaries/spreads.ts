import { type Source, visit } from "./source.ts";

/** Names of objects with many fields. A spread of one passes more than the receiver names. */
const wide: ReadonlySet<string> = new Set(["options", "shared", "deps", "dependencies", "parts"]);

/** One spread of such an object, at its line. */
export interface WideSpread {
  readonly path: string;
  readonly line: number;
  readonly name: string;
}

/** The spreads of wide objects, without tests. */
export const wideSpreadsOf = (sources: readonly Source[]): WideSpread[] =>
  sources
    .filter(({ isTest }) => !isTest)
    .flatMap(({ path, program, lineOf }) => {
      const spreads: WideSpread[] = [];
      visit(program, {
        SpreadElement: ({ argument, start }) => {
          if (argument.type === "Identifier" && wide.has(argument.name))
            spreads.push({ path, line: lineOf(start), name: argument.name });
        },
      });
      return spreads;
    });
