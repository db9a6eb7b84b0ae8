import { useEffect, useMemo } from "preact/hooks";
import { AccountContext, type App, AppContext, useAccount, useApp, useTexts } from "./context.ts";
import { Connection } from "./live/connection.tsx";
import { home } from "./route.ts";
import { createAccount } from "./session/account.ts";
import type { SignedIn } from "./session/session.ts";
import { SignIn } from "./session/sign-in.tsx";
import { TeleprinterPage } from "./teleprinter/page.tsx";
import { NoticeArea } from "./ui/notices.tsx";
import { Settings } from "./ui/settings.tsx";

/** Keeps language, theme and title of the document in step. */
function DocumentState({ unread }: { readonly unread: number }) {
  const { preferences } = useApp();
  const texts = useTexts();
  const language = preferences.spoken.value;
  const theme = preferences.theme.value;
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  useEffect(() => {
    if (theme === "auto") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
  }, [theme]);
  useEffect(() => {
    document.title = `${unread > 0 ? `(${unread}) ` : ""}${texts.teleprinter} – ${texts.product}`;
  }, [unread, texts]);
  return null;
}

function UnreadState() {
  return <DocumentState unread={useAccount().teleprinter.unreadTotal.value} />;
}

function SkipLink() {
  const texts = useTexts();
  return (
    <button type="button" class="skip" onClick={() => document.querySelector<HTMLElement>("#content")?.focus()}>
      {texts.skipToContent}
    </button>
  );
}

function Signed({ signedIn }: { readonly signedIn: SignedIn }) {
  const { preferences, session } = useApp();
  const texts = useTexts();
  const account = useMemo(() => {
    const { token } = signedIn.person;
    const language = preferences.spoken.peek();
    return createAccount({ signedIn, language, window, ended: () => session.end(token) });
  }, [signedIn, preferences, session]);
  useEffect(() => account.close, [account]);
  return (
    <AccountContext.Provider value={account}>
      <UnreadState />
      <header class="bar">
        <SkipLink />
        <a class="brand" href={home}>
          {texts.product}
        </a>
        <Connection />
        <Settings />
      </header>
      <TeleprinterPage />
    </AccountContext.Provider>
  );
}

function SignedOut() {
  return (
    <>
      <DocumentState unread={0} />
      <header class="bar">
        <Settings />
      </header>
      <SignIn />
    </>
  );
}

function Shell() {
  const { session, notices } = useApp();
  const signedIn = session.current.value;
  return (
    <>
      {signedIn === null ? <SignedOut /> : <Signed key={signedIn.person.token} signedIn={signedIn} />}
      <NoticeArea notices={notices} />
    </>
  );
}

/** The whole application. */
export function Application({ app }: { readonly app: App }) {
  return (
    <AppContext.Provider value={app}>
      <Shell />
    </AppContext.Provider>
  );
}
