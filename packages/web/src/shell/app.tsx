import type { ComponentChildren } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { AccountContext } from "../app/account.ts";
import { ChatSignalContext } from "../chat/context.ts";
import { RoomsSignalContext } from "../rooms/state/context.ts";
import { TeleprinterContext } from "../teleprinter/state/context.ts";
import { type App, AppContext, useApp, useTexts } from "../app/context.ts";
import { Connection } from "./connection.tsx";
import { adminHome, home, type Route } from "../app/route.ts";
import { connectAccount, type ConnectedAccount } from "./account.ts";
import type { SignedIn } from "../app/kept-person.ts";
import { DocumentState, UnreadState } from "./document-state.tsx";
import { Bell } from "./bell.tsx";
import { FindButton } from "./find-button.tsx";
import { NotFound } from "./not-found.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { Entrance } from "./entrance.tsx";
import { Button } from "../ui/forms/button.tsx";
import { createLazy, WaitingPage } from "../ui/panes/lazy.tsx";
import { NoticeArea } from "./notice-area.tsx";
import { AdminPageLinks, PageLinks } from "./places.tsx";
import { Settings } from "./settings.tsx";

function SkipLink() {
  const texts = useTexts();
  return (
    <Button class="skip" onClick={() => document.querySelector<HTMLElement>("#content")?.focus()}>
      {texts.skipToContent}
    </Button>
  );
}

/** The code of each page is loaded when it is first shown. */
const pages = {
  teleprinter: createLazy(async () => (await import("../teleprinter/page.tsx")).TeleprinterPage, WaitingPage),
  chat: createLazy(async () => (await import("../chat/page.tsx")).ChatPage, WaitingPage),
  rooms: createLazy(async () => (await import("../rooms/page.tsx")).RoomsPage, WaitingPage),
  account: createLazy(async () => (await import("../account/page.tsx")).AccountPage, WaitingPage),
  files: createLazy(async () => (await import("../uploads/page.tsx")).FilesPage, WaitingPage),
  pictures: createLazy(async () => (await import("../pictures/page.tsx")).PicturesPage, WaitingPage),
  admin: createLazy(async () => (await import("../admin/page.tsx")).AdminPage, WaitingPage),
} as const;

type PageWithCode = keyof typeof pages;

const hasCode = (page: Route["page"]): page is PageWithCode => Object.hasOwn(pages, page);

/** Loads the code of a page before it is drawn. */
export const preparePage = (page: Route["page"]): void => {
  if (hasCode(page)) pages[page].prepare();
};

function CurrentPage() {
  const { page } = useApp().router.route.value;
  if (!hasCode(page)) return null;
  const Page = pages[page];
  return <Page />;
}

/** The account of the person while this component is mounted. */
function useConnectedAccount(signedIn: SignedIn): ConnectedAccount {
  const { preferences, session, confirmation } = useApp();
  const account = useMemo(() => {
    const language = preferences.spoken.peek();
    const ended = (): void => session.end(signedIn.person);
    return connectAccount({ signedIn, language, window, ended, confirm: confirmation.ask });
  }, [signedIn, preferences, session, confirmation]);
  useEffect(() => account.close, [account]);
  return account;
}

interface AccountProviderProps {
  readonly account: ConnectedAccount;
  readonly children: ComponentChildren;
}

/** Provides an account and its connections to the components below. */
const AccountProvider = ({ account, children }: AccountProviderProps) => (
  <AccountContext.Provider value={account}>
    <TeleprinterContext.Provider value={account.teleprinter}>
      <ChatSignalContext.Provider value={account.chat}>
        <RoomsSignalContext.Provider value={account.rooms}>{children}</RoomsSignalContext.Provider>
      </ChatSignalContext.Provider>
    </TeleprinterContext.Provider>
  </AccountContext.Provider>
);

function Bar({ href, children }: { readonly href: string; readonly children: ComponentChildren }) {
  const texts = useTexts();
  return (
    <header class="bar">
      <SkipLink />
      <a class="brand" href={href}>
        {texts.product}
      </a>
      {children}
      <Settings />
    </header>
  );
}

const Signed = ({ signedIn }: { readonly signedIn: SignedIn }) => (
  <AccountProvider account={useConnectedAccount(signedIn)}>
    <UnreadState />
    <Bar href={home}>
      <PageLinks />
      <Connection />
      <FindButton />
      <Bell />
    </Bar>
    <CurrentPage />
  </AccountProvider>
);

/** The only page for a token with just the scope `admin`. */
function OnlyAdmin() {
  const { router } = useApp();
  const isThere = router.route.value.page === "admin";
  useEffect(() => {
    if (!isThere) router.go(adminHome, "replace");
  }, [isThere, router]);
  return (
    <>
      <DocumentState unread="" open={null} />
      <Bar href={adminHome}>
        <AdminPageLinks />
      </Bar>
      {isThere && <CurrentPage />}
    </>
  );
}

const WithoutAccount = ({ children }: { readonly children: ComponentChildren }) => (
  <>
    <DocumentState unread="" open={null} />
    <header class="bar">
      <Settings />
    </header>
    {children}
  </>
);

/** A page for a signed-in person. The page for signing in with a token redirects. */
function PersonPage({ signedIn }: { readonly signedIn: SignedIn }) {
  const { router } = useApp();
  const isToken = router.route.value.page === "token";
  const { token, hasChat, userId } = signedIn.person;
  useEffect(() => {
    if (isToken) router.go(home, "replace");
  }, [isToken, router]);
  const key = token ?? userId;
  return hasChat ? <Signed key={key} signedIn={signedIn} /> : <OnlyAdmin key={key} />;
}

/** The page that the URL names. An unknown URL shows the same page whether the person is signed in or not. */
function Body() {
  const { session, router } = useApp();
  const signedIn = session.current.value;
  const isLost = router.route.value.page === "notFound";
  if (signedIn !== null && !isLost) return <PersonPage signedIn={signedIn} />;
  return <WithoutAccount>{isLost ? <NotFound /> : <Entrance />}</WithoutAccount>;
}

function Shell() {
  const { notices } = useApp();
  return (
    <>
      <Body />
      <ConfirmDialog />
      <NoticeArea notices={notices} />
    </>
  );
}

export const Application = ({ app }: { readonly app: App }) => (
  <AppContext.Provider value={app}>
    <Shell />
  </AppContext.Provider>
);
