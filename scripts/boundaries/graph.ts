import { posix } from "node:path";
import type { Source } from "./source.ts";

/** One import of a file of the same package, of types or of values. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly line: number;
}

/** Every relative import between files of one package, without tests. */
export function arrowsOf(sources: readonly Source[]): Arrow[] {
  const files = sources.filter(({ isTest }) => !isTest);
  const paths = new Set(files.map(({ path }) => path));
  return files.flatMap(({ path, imports }) =>
    imports.flatMap(({ specifier, line }) => {
      if (!specifier.startsWith(".")) return [];
      const to = posix.join(posix.dirname(path), specifier);
      return paths.has(to) ? [{ from: path, to, line }] : [];
    }),
  );
}

/** The folder directly below `src/` that holds this file, such as `packages/core/src/users`; null for a file outside such folders. */
export const roomOf = (path: string): string | null => /^packages\/[^/]+\/src\/[^/]+(?=\/)/.exec(path)?.[0] ?? null;

/** The imports that lead from one folder below `src/` into another. */
export const betweenRooms = (arrows: readonly Arrow[]): Arrow[] =>
  arrows.flatMap(({ from, to, line }) => {
    const [room, other] = [roomOf(from), roomOf(to)];
    return room === null || other === null || room === other ? [] : [{ from: room, to: other, line }];
  });

/** The imports that lead from one folder with a `contract.ts` into another. */
export function capabilityArrows(arrows: readonly Arrow[], sources: readonly Source[]): Arrow[] {
  const contracts = sources.filter(({ path }) => path.endsWith("/contract.ts")).map(({ path }) => posix.dirname(path));
  const capabilities = new Set(contracts);
  const capabilityOf = (path: string): string | null => {
    const room = roomOf(path);
    return room !== null && capabilities.has(room) ? room : null;
  };
  return arrows.filter(({ from, to }) => {
    const [own, other] = [capabilityOf(from), capabilityOf(to)];
    return own !== null && other !== null && own !== other;
  });
}

/** The groups of names that reach each other over the arrows, each sorted, the largest first. */
export function circlesOf(arrows: readonly Arrow[]): string[][] {
  const targets = new Map<string, Set<string>>();
  for (const { from, to } of arrows) targets.set(from, (targets.get(from) ?? new Set()).add(to));
  const search = createSearch(targets);
  for (const name of targets.keys()) search.enter(name);
  return search.circles.toSorted((a, b) => b.length - a.length);
}

/** Finds strongly connected groups, as Tarjan describes. */
function createSearch(targets: ReadonlyMap<string, ReadonlySet<string>>) {
  const order = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];

  /** The lowest order number on the stack that `name` reaches. */
  const enter = (name: string): number => {
    const own = order.size;
    order.set(name, own);
    stack.push(name);
    let lowest = own;
    for (const target of targets.get(name) ?? []) {
      const seen = order.get(target);
      if (seen === undefined) lowest = Math.min(lowest, enter(target));
      else if (stack.includes(target)) lowest = Math.min(lowest, seen);
    }
    if (lowest === own) close(name);
    return lowest;
  };

  const close = (name: string): void => {
    const circle = stack.splice(stack.indexOf(name));
    if (circle.length > 1) circles.push(circle.toSorted());
  };

  return { circles, enter: (name: string) => (order.has(name) ? 0 : enter(name)) };
}
