import { useEffect } from "preact/hooks";
import { useApp, useTexts } from "../app/context.ts";
import { LinkButton } from "../ui/forms/link-button.tsx";
import { SignIn } from "./sign-in.tsx";

/** The address of the sign-in, which leads back here, in the language that the person chose. */
function signInAddress({ pathname, search }: Location, language: string): string {
  const query = new URLSearchParams({ to: pathname + search, ...(language !== "auto" && { lang: language }) });
  return `/user/sign-in?${query.toString()}`;
}

/** Leads to the forms of a server that has accounts. */
function ToSignIn() {
  const { router, preferences } = useApp();
  useEffect(() => router.leave(signInAddress(location, preferences.language.peek())), [router, preferences]);
  return <main id="content" class="blank" />;
}

function Unreachable() {
  const { session } = useApp();
  const texts = useTexts();
  return (
    <main id="content" tabIndex={-1} class="blank">
      <p role="alert">
        {texts.problem.unreachable} <LinkButton onClick={() => void session.check()}>{texts.tryAgain}</LinkButton>
      </p>
    </main>
  );
}

/** Where people who are not signed in come in. */
export function Entrance() {
  const { session, router } = useApp();
  const way = session.way.value;
  if (way === "tokens" || router.route.value.page === "token") return <SignIn />;
  if (way === "accounts") return <ToSignIn />;
  return way === "unreachable" ? <Unreachable /> : <main id="content" class="blank" />;
}
