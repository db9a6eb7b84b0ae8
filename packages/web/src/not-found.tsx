import { useTexts } from "./context.ts";
import { home } from "./route.ts";
import { Tape } from "./ui/tape.tsx";

/** The page of an address that no page has. */
export function NotFound() {
  const texts = useTexts();
  return (
    <main id="content" tabIndex={-1} class="blank">
      <Tape>{"  LOST  "}</Tape>
      <h1>{texts.notFound}</h1>
      <p>{texts.notFoundLead(location.pathname)}</p>
      <a class="button" href={home}>
        {texts.notFoundHome}
      </a>
    </main>
  );
}
