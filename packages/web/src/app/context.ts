import type { ReadonlySignal, Signal } from "@preact/signals";
import { createRequiredContext } from "../base/required-context.ts";
import type { Format } from "../i18n/format.ts";
import type { Texts } from "../i18n/texts.ts";
import type { Confirmation } from "./confirmation.ts";
import type { Preferences } from "./preferences.ts";
import type { Router } from "./route.ts";
import type { Session } from "./session.ts";
import type { Notices } from "./notices.ts";

/** The state that all pages share. */
export interface App {
  readonly preferences: Preferences;
  readonly session: Session;
  readonly confirmation: Confirmation;
  readonly router: Router;
  readonly notices: Notices;
  /** The name of the open item, for the title of the document. Null if the page names none. */
  readonly opened: Signal<string | null>;
  /** The current time in Unix milliseconds, updated every few seconds while the page is visible. */
  readonly now: ReadonlySignal<number>;
  /** The origin of the server, for commands to copy. */
  readonly origin: string;
}

const app = createRequiredContext<App>("useApp");

/** Provides {@link App} to the components below. */
export const AppContext = app.Context;

/** @throws TypeError outside of the application */
export const useApp = app.use;

/** The texts in the current language. */
export const useTexts = (): Texts => useApp().preferences.texts.value;

/** Formats times in the current language. */
export const useFormat = (): Format => useApp().preferences.format.value;

/** Returns a function that says how long ago a time was. The result follows the clock. */
export function useAgo(): (at: number) => string {
  const { ago } = useFormat();
  const { now } = useApp();
  return (at) => ago(at, now.value);
}

/** Formats numbers in the current language. */
export const useNumbers = (): Intl.NumberFormat => new Intl.NumberFormat(useApp().preferences.spoken.value);
