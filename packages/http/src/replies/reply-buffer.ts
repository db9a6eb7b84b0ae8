/** Produced events. The oldest are dropped once their bytes exceed a limit and a reader has had them. */
export function createBuffer(limit: number) {
  const parts: string[] = [];
  let first = 1;
  let size = 0;
  return {
    /** The number of the last event. */
    count: (): number => first + parts.length - 1,
    size: (): number => size,
    has: (after: number): boolean => after >= first - 1 && after < first + parts.length,
    at: (number: number): string | undefined => parts[number - first],
    push(text: string, read: number): void {
      parts.push(text);
      size += text.length;
      while (size > limit && first <= read) {
        size -= parts.shift()?.length ?? 0;
        first += 1;
      }
    },
  };
}
