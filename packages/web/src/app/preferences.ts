import { computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { createFormat, type Format } from "../i18n/format.ts";
import { chooseLanguage, type Language, languages, loadTexts } from "../i18n/language.ts";
import type { Texts } from "../i18n/texts.ts";
import type { Shelf } from "../base/shelf.ts";

/** The themes. `auto` follows the system. */
export const themes = ["auto", "light", "dark"] as const;
/** The action of the Enter key. Shift+Enter does the other one. */
export const enterKeys = ["send", "break"] as const;
/** Browser notifications while the page is hidden. */
const noticeChoices = ["off", "on"] as const;
/** The languages. `auto` follows the browser. */
export const languageChoices = ["auto", ...languages] as const;

/** The settings of a person, stored in this browser, and the values derived from them. */
export interface Preferences {
  readonly language: Signal<(typeof languageChoices)[number]>;
  readonly theme: Signal<(typeof themes)[number]>;
  readonly enterKey: Signal<(typeof enterKeys)[number]>;
  readonly notices: Signal<(typeof noticeChoices)[number]>;
  /** Shows the beginning of the text in notifications. */
  readonly noticeText: Signal<(typeof noticeChoices)[number]>;
  /** Notifies of texts from the person's devices. */
  readonly noticeDevices: Signal<(typeof noticeChoices)[number]>;
  /** Notifies when a device of the person goes offline. */
  readonly noticeOffline: Signal<(typeof noticeChoices)[number]>;
  /** The current language. */
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

/** The current language with its texts. It follows `wanted` as soon as they are loaded. */
async function createSpoken(wanted: ReadonlySignal<Language>) {
  const load = async (language: Language) => ({ language, texts: await loadTexts(language) });
  const inEffect = signal(await load(wanted.peek()));
  effect(() => {
    const language = wanted.value;
    const apply = (loaded: Awaited<ReturnType<typeof load>>): void => {
      if (wanted.peek() === language) inEffect.value = loaded;
    };
    // Without a network, the language does not change.
    if (language !== inEffect.peek().language) load(language).then(apply, () => {});
  });
  return inEffect;
}

/**
 * The preferences stored on `shelf`. By default, each is the first choice of its kind.
 * @throws TypeError if the texts of the language cannot be loaded
 */
export async function createPreferences(shelf: Shelf, browserLanguages: readonly string[]): Promise<Preferences> {
  const language = setting(shelf, "language", languageChoices);
  const wanted = computed(() => (language.value === "auto" ? chooseLanguage(browserLanguages) : language.value));
  const inEffect = await createSpoken(wanted);
  const spoken = computed(() => inEffect.value.language);
  const texts = computed(() => inEffect.value.texts);
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
