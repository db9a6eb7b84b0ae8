import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { ReadonlySignal } from "@preact/signals";
import type { Format } from "../i18n/format.ts";
import type { Texts } from "../i18n/texts.ts";
import type { Preferences } from "./preferences.ts";
import type { Router } from "./route.ts";
import type { Account } from "../shell/account.ts";
import type { Session } from "./session.ts";
import type { Notices } from "../ui/panes/notices.tsx";

/** What all pages share. */
export interface App {
  readonly preferences: Preferences;
  readonly session: Session;
  readonly router: Router;
  readonly notices: Notices;
  /** Unix milliseconds, renewed every few seconds while the page is seen. */
  readonly now: ReadonlySignal<number>;
  /** The address of the server, for commands to copy. */
  readonly origin: string;
}

/** Gives {@link App} to the components below. */
export const AppContext = createContext<App | null>(null);
/** Gives the account of the person who is signed in to the components below. */
export const AccountContext = createContext<Account | null>(null);

/** @throws TypeError outside of the application */
export function useApp(): App {
  const app = useContext(AppContext);
  if (app === null) throw new TypeError("useApp is called outside of the application");
  return app;
}

/** @throws TypeError where nobody is signed in */
export function useAccount(): Account {
  const account = useContext(AccountContext);
  if (account === null) throw new TypeError("useAccount is called where nobody is signed in");
  return account;
}

/** Every text in the language in effect. */
export const useTexts = (): Texts => useApp().preferences.texts.value;

/** How times are written in the language in effect. */
export const useFormat = (): Format => useApp().preferences.format.value;

/** How long ago something was, in words that are kept current. */
export function useAgo(): (at: number) => string {
  const { ago } = useFormat();
  const { now } = useApp();
  return (at) => ago(at, now.value);
}

/** How numbers are written in the language in effect. */
export const useNumbers = (): Intl.NumberFormat => new Intl.NumberFormat(useApp().preferences.spoken.value);
