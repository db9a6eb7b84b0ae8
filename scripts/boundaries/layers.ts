import { arrowsOf, betweenRooms, capabilityArrows, circlesOf } from "./graph.ts";
import type { Finding, Source } from "./source.ts";
import { wideSpreadsOf } from "./spreads.ts";

/** The layers of core below its capabilities, the lowest first. A folder imports its own layer and those below, types as well as values. */
const below: readonly (readonly string[])[] = [["networks", "observe", "records", "storage", "transfer"]];
/** The folder that composes the capabilities. */
const above = "instance";

const names = ["ports", "capabilities", "instance", "entry points"];

/** Imports from one capability into another. */
const maxArrows = 45;

const src = "packages/core/src/";

/** The number of the layer of a file of core: its entry points, directly below `src/`, are the last one. */
function layerOf(path: string): number {
  const [folder = "", file] = path.slice(src.length).split("/");
  if (file === undefined) return 3;
  const layer = below.findIndex((folders) => folders.includes(folder));
  if (layer !== -1) return layer;
  return folder === above ? 2 : 1;
}

const error = (path: string, line: number, message: string): Finding => ({ path, line, level: "error", message });

function checkLayers(arrows: ReturnType<typeof arrowsOf>): Finding[] {
  return arrows.flatMap(({ from, to, line }) => {
    if (!from.startsWith(src) || !to.startsWith(src)) return [];
    const [layer, other] = [layerOf(from), layerOf(to)];
    if (layer >= other) return [];
    return [
      error(
        from,
        line,
        `${names[layer]} must not import "${to.slice(src.length)}" of ${names[other]}: declare what is needed, and let instance/ pass it`,
      ),
    ];
  });
}

const first = (circle: readonly string[]): string => circle[0] ?? "";

function checkCircles(arrows: ReturnType<typeof arrowsOf>): Finding[] {
  return [...circlesOf(betweenRooms(arrows)), ...circlesOf(arrows)].map((circle) =>
    error(first(circle), 1, `is in a circle of imports: ${circle.join(", ")}`),
  );
}

function checkArrows(sources: readonly Source[], arrows: ReturnType<typeof arrowsOf>): Finding[] {
  const between = capabilityArrows(arrows, sources).filter(({ from }) => from.startsWith(src));
  return between
    .slice(maxArrows)
    .map(({ from, to, line }) =>
      error(
        from,
        line,
        `imports "${to.slice(src.length)}" of another capability, the ${between.length}th such import of ${maxArrows}: declare a function that instance/ passes`,
      ),
    );
}

const checkSpreads = (sources: readonly Source[]): Finding[] =>
  wideSpreadsOf(sources)
    .filter(({ path }) => path.startsWith(src))
    .map(({ path, line, name }) => error(path, line, `spreads "${name}": pass the parts that the receiver declares`));

/** Rule 5: the layers of core, no circles, few imports between capabilities, and no spread of everything. */
export function checkStructure(sources: readonly Source[]): Finding[] {
  const arrows = arrowsOf(sources);
  return [...checkLayers(arrows), ...checkCircles(arrows), ...checkArrows(sources, arrows), ...checkSpreads(sources)];
}
