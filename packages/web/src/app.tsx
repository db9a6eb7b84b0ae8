import type { FunctionComponent } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { AccountContext, type App, AppContext, useAccount, useApp, useTexts } from "./context.ts";
import { Connection } from "./live/connection.tsx";
import { chatHome, home } from "./route.ts";
import { createAccount } from "./session/account.ts";
import type { SignedIn } from "./session/session.ts";
import { NotFound } from "./not-found.tsx";
import { SignIn } from "./session/sign-in.tsx";
import { TeleprinterPage } from "./teleprinter/page.tsx";
import { NoticeArea } from "./ui/notices.tsx";
import { Settings } from "./ui/settings.tsx";

/** Keeps language, theme and title of the document in step. */
function DocumentState({ unread }: { readonly unread: number }) {
  const { preferences, router } = useApp();
  const texts = useTexts();
  const language = preferences.spoken.value;
  const name = texts[router.route.value.page];
  const theme = preferences.theme.value;
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  useEffect(() => {
    if (theme === "auto") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
  }, [theme]);
  useEffect(() => {
    document.title = `${unread > 0 ? `(${unread}) ` : ""}${name} – ${texts.product}`;
  }, [unread, name, texts]);
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

function Places() {
  const { router } = useApp();
  const texts = useTexts();
  const { page } = router.route.value;
  return (
    <nav class="places" aria-label={texts.pages}>
      <a href={home} aria-current={page === "teleprinter" ? "page" : undefined}>
        {texts.teleprinter}
      </a>
      <a href={chatHome} aria-current={page === "chat" ? "page" : undefined}>
        {texts.chat}
      </a>
    </nav>
  );
}

/** The conversations with models; their code is loaded when they are first looked at. */
function Chat() {
  const texts = useTexts();
  const [Page, setPage] = useState<FunctionComponent | null>(null);
  const [failed, setFailed] = useState(false);
  const load = async (): Promise<void> => {
    setFailed(false);
    try {
      const { ChatPage } = await import("./chat/page.tsx");
      setPage(() => ChatPage);
    } catch {
      setFailed(true);
    }
  };
  useEffect(() => void load(), []);
  if (Page !== null) return <Page />;
  return (
    <main id="content" class="blank">
      {failed && (
        <p>
          {texts.problem.unreachable}{" "}
          <button type="button" class="link" onClick={() => void load()}>
            {texts.tryAgain}
          </button>
        </p>
      )}
    </main>
  );
}

function Signed({ signedIn }: { readonly signedIn: SignedIn }) {
  const { preferences, session, router } = useApp();
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
        <Places />
        <Connection />
        <Settings />
      </header>
      {router.route.value.page === "chat" ? <Chat /> : <TeleprinterPage />}
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

/** An address without a page: the same for everyone, so that nobody has to sign in to learn it. */
function Lost() {
  return (
    <>
      <DocumentState unread={0} />
      <header class="bar">
        <Settings />
      </header>
      <NotFound />
    </>
  );
}

function Place() {
  const { session, router } = useApp();
  const signedIn = session.current.value;
  if (router.route.value.page === "notFound") return <Lost />;
  return signedIn === null ? <SignedOut /> : <Signed key={signedIn.person.token} signedIn={signedIn} />;
}

function Shell() {
  const { notices } = useApp();
  return (
    <>
      <Place />
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
