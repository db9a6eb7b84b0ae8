import type { ReadonlySignal } from "@preact/signals";
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
  /** Unix milliseconds, renewed every few seconds while the page is seen. */
  readonly now: ReadonlySignal<number>;
  /** The address of the server, for commands to copy. */
  readonly origin: string;
}

const app = createRequiredContext<App>("useApp");

/** Gives {@link App} to the components below. */
export const AppContext = app.Context;

/** @throws TypeError outside of the application */
export const useApp = app.use;

/** Every text in the language in effect. */
export const useTexts = (): Texts => useApp().preferences.texts.value;

/** How times are written in the language in effect. */
export const useFormat = (): Format => useApp().preferences.format.value;

/** Says how long ago a time was. The words follow the clock. */
export function useAgo(): (at: number) => string {
  const { ago } = useFormat();
  const { now } = useApp();
  return (at) => ago(at, now.value);
}

/** How numbers are written in the language in effect. */
export const useNumbers = (): Intl.NumberFormat => new Intl.NumberFormat(useApp().preferences.spoken.value);
