import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";

/**
 * A component whose code is loaded when it is first drawn; later it is there immediately. Without a network it draws nothing, and tries again
 * when it is drawn again.
 */
export function createLazy<P extends object>(load: () => Promise<FunctionComponent<P>>): FunctionComponent<P> {
  let known: FunctionComponent<P> | null = null;
  return function Lazy(props: P) {
    const [Loaded, setLoaded] = useState(() => known);
    useEffect(() => {
      const show = (loaded: FunctionComponent<P>): void => {
        known = loaded;
        setLoaded(() => loaded);
      };
      if (known === null) load().then(show, () => {});
    }, []);
    return Loaded && <Loaded {...props} />;
  };
}
