import { useEffect } from "preact/hooks";
import { useApp, useTexts } from "../app/context.ts";
import { LinkButton } from "../ui/forms/link-button.tsx";
import { SignIn } from "./sign-in.tsx";

/** The URL of the sign-in, which returns here, in the chosen language. */
function signInAddress({ pathname, search }: Location, language: string): string {
  const query = new URLSearchParams({ to: pathname + search, ...(language !== "auto" && { lang: language }) });
  return `/user/sign-in?${query.toString()}`;
}

/** Redirects to the forms of a server with accounts. */
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

/** Shown if the person is not signed in. */
export function Entrance() {
  const { session, router } = useApp();
  const way = session.way.value;
  if (way === "tokens" || router.route.value.page === "token") return <SignIn />;
  if (way === "accounts") return <ToSignIn />;
  return way === "unreachable" ? <Unreachable /> : <main id="content" class="blank" />;
}
