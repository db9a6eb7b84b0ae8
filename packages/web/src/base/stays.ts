/** The reasons to ask before the person leaves a page. */
export function createStays(window: Window) {
  const stays = new Set<symbol>();
  const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
  const stay = (): (() => void) => {
    const reason = Symbol("stay");
    stays.add(reason);
    window.addEventListener("beforeunload", ask);
    return () => {
      stays.delete(reason);
      if (stays.size === 0) window.removeEventListener("beforeunload", ask);
    };
  };
  return { stay, isKept: (): boolean => stays.size > 0 };
}
