import type { Printer, World } from "../world.ts";

/**
 * Notes a text that a printer received.
 * @param shown as for `Deliveries.receive`
 */
export function receive(
  world: World,
  printer: Printer,
  { id, content }: { readonly id: number; readonly content: string },
  shown = false,
): void {
  world.problems.push(...printer.texts.tell({ id, word: content }), ...printer.deliveries.receive(id, shown));
}
