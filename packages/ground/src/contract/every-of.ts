/**
 * Returns a list that must contain every word of a union: a list without one of them does not compile.
 * @example
 * const colours = everyOf<"red" | "blue">()(["red", "blue"]);
 */
export const everyOf =
  <All extends string>() =>
  <const List extends readonly All[]>(
    list: List & ([All] extends [List[number]] ? unknown : { readonly lacks: Exclude<All, List[number]> }),
  ): List =>
    list;
