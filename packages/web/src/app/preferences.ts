import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { createFormat, type Format } from "../i18n/format.ts";
import { chooseLanguage, type Language, languages, textsOf } from "../i18n/language.ts";
import type { Texts } from "../i18n/texts.ts";
import type { Shelf } from "../base/shelf.ts";

/** How the pages look; `auto` follows the system. */
export const themes = ["auto", "light", "dark"] as const;
/** The action of the Enter key; Shift+Enter does the other. */
export const enterKeys = ["send", "break"] as const;
/** Notifications of the browser while the page is hidden. */
const noticeChoices = ["off", "on"] as const;
/** The languages to choose from; `auto` follows the browser. */
export const languageChoices = ["auto", ...languages] as const;

/** The settings of a person, which last in this browser, and the values that follow from them. */
export interface Preferences {
  readonly language: Signal<(typeof languageChoices)[number]>;
  readonly theme: Signal<(typeof themes)[number]>;
  readonly enterKey: Signal<(typeof enterKeys)[number]>;
  readonly notices: Signal<(typeof noticeChoices)[number]>;
  /** Notifications show the beginning of the text. */
  readonly noticeText: Signal<(typeof noticeChoices)[number]>;
  /** Notifications of texts from one's own devices. */
  readonly noticeDevices: Signal<(typeof noticeChoices)[number]>;
  /** Notifications of one's own devices that are offline. */
  readonly noticeOffline: Signal<(typeof noticeChoices)[number]>;
  /** The language in effect. */
  readonly spoken: ReadonlySignal<Language>;
  readonly texts: ReadonlySignal<Texts>;
  readonly format: ReadonlySignal<Format>;
}

function setting<T extends string>(shelf: Shelf, name: string, choices: readonly [T, ...(readonly T[])]): Signal<T> {
  const stored = shelf.read(name);
  const value = signal<T>(choices.find((choice) => choice === stored) ?? choices[0]);
  value.subscribe((next) => {
    if (next === choices[0]) shelf.remove(name);
    else shelf.write(name, next);
  });
  return value;
}

/** The preferences kept on `shelf`; the first of each kind of choice is the default. */
export function createPreferences(shelf: Shelf, browserLanguages: readonly string[]): Preferences {
  const language = setting(shelf, "language", languageChoices);
  const spoken = computed(() => (language.value === "auto" ? chooseLanguage(browserLanguages) : language.value));
  const texts = computed(() => textsOf(spoken.value));
  return {
    language,
    theme: setting(shelf, "theme", themes),
    enterKey: setting(shelf, "enter", enterKeys),
    notices: setting(shelf, "notices", noticeChoices),
    noticeText: setting(shelf, "noticeText", noticeChoices),
    noticeDevices: setting(shelf, "noticeDevices", noticeChoices),
    noticeOffline: setting(shelf, "noticeOffline", noticeChoices),
    spoken,
    texts,
    format: computed(() => createFormat(spoken.value, texts.value)),
  };
}
