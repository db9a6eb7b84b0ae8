import { useApp, useTexts } from "../../app/context.ts";
import { enterKeys, languageChoices, themes } from "../../app/preferences.ts";
import { languageNames } from "../../i18n/language.ts";
import { Choice } from "../forms/choice.tsx";

/** The preferences of the pages. */
export function Choices() {
  const { preferences } = useApp();
  const texts = useTexts();
  const { language, theme, enterKey } = preferences;
  const themeNames = { auto: texts.automatic, light: texts.light, dark: texts.dark };
  const enterNames = { send: texts.enterSends, break: texts.enterBreaks };
  const languageName = (option: (typeof languageChoices)[number]): string =>
    option === "auto" ? texts.automatic : languageNames[option];
  return (
    <>
      <Choice label={texts.language} value={language} options={languageChoices} name={languageName} />
      <Choice label={texts.theme} value={theme} options={themes} name={(option) => themeNames[option]} />
      <Choice label={texts.enterKey} value={enterKey} options={enterKeys} name={(option) => enterNames[option]} />
    </>
  );
}
