/** Reasons to ask before the person leaves a page. */
export function createStays(window: Window) {
  const stays = new Set<symbol>();
  const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
  const stay = (): (() => void) => {
    const own = Symbol("stay");
    stays.add(own);
    window.addEventListener("beforeunload", ask);
    return () => {
      stays.delete(own);
      if (stays.size === 0) window.removeEventListener("beforeunload", ask);
    };
  };
  return { stay, isKept: (): boolean => stays.size > 0 };
}
