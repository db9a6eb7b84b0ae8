import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";

/** A component whose code is loaded when it is first drawn. Without a network it draws nothing, and tries again when it is drawn again. */
export function createLazy<P extends object>(load: () => Promise<FunctionComponent<P>>): FunctionComponent<P> {
  return function Lazy(props: P) {
    const [Loaded, setLoaded] = useState<FunctionComponent<P> | null>(null);
    useEffect(() => {
      load().then(
        (loaded) => setLoaded(() => loaded),
        () => {},
      );
    }, []);
    return Loaded && <Loaded {...props} />;
  };
}
