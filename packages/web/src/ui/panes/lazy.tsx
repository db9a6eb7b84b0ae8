import type { FunctionComponent } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { useTexts } from "../../app/context.ts";
import { LinkButton } from "../forms/link-button.tsx";

/** A component whose code is loaded when it is first drawn. */
interface LazyComponent<P> extends FunctionComponent<P> {
  /** Loads the code before it is needed. A failure does not count: drawing tries again. */
  readonly prepare: () => void;
}

interface WaitingProps {
  /** Loads again; null while the code is being loaded. */
  readonly again: (() => void) | null;
}

interface Code<P> {
  /** Null until the code has been loaded. */
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
  // Before anything is painted: code that is there already leaves no gap.
  useLayoutEffect(() => {
    if (Loaded === null) begin();
  }, []);
  return { Loaded, again: failed ? begin : null };
}

/**
 * A component whose code is loaded when it is first drawn; later it is there immediately.
 * @param Waiting drawn until then, and while there is no network. Default: nothing; the code is loaded again when the component is next drawn
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

/** Says that code could not be loaded, and loads it again. */
function NotLoaded({ again }: { readonly again: () => void }) {
  const texts = useTexts();
  return (
    <p>
      {texts.problem.unreachable} <LinkButton onClick={again}>{texts.tryAgain}</LinkButton>
    </p>
  );
}

/** The place of an entry while its code is loaded. */
export const WaitingSection = ({ again }: WaitingProps) => (
  <section class="blank">{again !== null && <NotLoaded again={again} />}</section>
);

/** The place of a page while its code is loaded. */
export const WaitingPage = ({ again }: WaitingProps) => (
  <main id="content" class="blank">
    {again !== null && <NotLoaded again={again} />}
  </main>
);
