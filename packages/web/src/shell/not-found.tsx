import { useTexts } from "../app/context.ts";
import { home } from "../app/route.ts";
import { Tape } from "../ui/panes/tape.tsx";

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
