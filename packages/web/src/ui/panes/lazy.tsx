import type { FunctionComponent } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { useTexts } from "../../app/context.ts";
import { LinkButton } from "../forms/link-button.tsx";

/** A component whose code is loaded when it is first drawn. */
interface LazyComponent<P> extends FunctionComponent<P> {
  /** Preloads the code. If that fails, drawing the component tries again. */
  readonly prepare: () => void;
}

interface WaitingProps {
  /** Loads the code again. Null while it is being loaded. */
  readonly again: (() => void) | null;
}

interface Code<P> {
  /** Null until the code is loaded. */
  readonly loaded: () => FunctionComponent<P> | null;
  readonly load: () => Promise<void>;
}

function createCode<P>(load: () => Promise<FunctionComponent<P>>): Code<P> {
  let component: FunctionComponent<P> | null = null;
  return {
    loaded: () => component,
    load: async () => {
      component ??= await load();
    },
  };
}

function useCode<P>({ loaded, load }: Code<P>) {
  const [Loaded, setLoaded] = useState(loaded);
  const [failed, setFailed] = useState(false);
  const begin = (): void => {
    setFailed(false);
    load().then(
      () => setLoaded(loaded),
      () => setFailed(true),
    );
  };
  // Runs before painting, so that code that is already loaded leaves no gap.
  useLayoutEffect(() => {
    if (Loaded === null) begin();
  }, []);
  return { Loaded, again: failed ? begin : null };
}

/**
 * A component whose code is loaded when it is first drawn.
 * @param Waiting drawn until the code is loaded, and while there is no network. Default: nothing; the next mount loads the code again
 */
export function createLazy<P extends object>(
  load: () => Promise<FunctionComponent<P>>,
  Waiting: FunctionComponent<WaitingProps> = () => null,
): LazyComponent<P> {
  const code = createCode(load);
  const Lazy: FunctionComponent<P> = (props) => {
    const { Loaded, again } = useCode(code);
    return Loaded === null ? <Waiting again={again} /> : <Loaded {...props} />;
  };
  return Object.assign(Lazy, { prepare: () => void code.load().catch(() => {}) });
}

/** Shows that the code could not be loaded, with a button to try again. */
function NotLoaded({ again }: { readonly again: () => void }) {
  const texts = useTexts();
  return (
    <p>
      {texts.problem.unreachable} <LinkButton onClick={again}>{texts.tryAgain}</LinkButton>
    </p>
  );
}

/** Replaces an entry while its code is loaded. */
export const WaitingSection = ({ again }: WaitingProps) => (
  <section class="blank">{again !== null && <NotLoaded again={again} />}</section>
);

/** Replaces a page while its code is loaded. */
export const WaitingPage = ({ again }: WaitingProps) => (
  <main id="content" class="blank">
    {again !== null && <NotLoaded again={again} />}
  </main>
);
