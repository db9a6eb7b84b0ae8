import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useTexts } from "../app/context.ts";
import { LinkButton } from "../ui/forms/link-button.tsx";

/** Loads the code of a page; called again where it failed. */
type PageLoader = () => Promise<FunctionComponent>;

function usePage(load: PageLoader) {
  const [Page, setPage] = useState<FunctionComponent | null>(null);
  const [failed, setFailed] = useState(false);
  const show = (loaded: FunctionComponent): void => setPage(() => loaded);
  const begin = (): void => {
    setFailed(false);
    load().then(show, () => setFailed(true));
  };
  useEffect(begin, [load]);
  return { Page, failed, begin };
}

/** A page whose code is loaded when it is first looked at. */
export function LazyPage({ load }: { readonly load: PageLoader }) {
  const texts = useTexts();
  const { Page, failed, begin } = usePage(load);
  if (Page !== null) return <Page />;
  return (
    <main id="content" class="blank">
      {failed && (
        <p>
          {texts.problem.unreachable} <LinkButton onClick={begin}>{texts.tryAgain}</LinkButton>
        </p>
      )}
    </main>
  );
}
