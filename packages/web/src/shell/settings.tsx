import { useApp, useTexts } from "../app/context.ts";
import { languageNames } from "../i18n/language.ts";
import { enterKeys, languageChoices, themes } from "../app/preferences.ts";
import { accountHome } from "../app/route.ts";
import type { SignedIn } from "../app/kept-person.ts";
import { SignOut } from "../account/sign-out.tsx";
import { Choice } from "../ui/forms/choice.tsx";
import { IconButton } from "../ui/forms/icon-button.tsx";

/** How the pages look and behave. */
function Choices() {
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

const hideSettings = (): void => document.querySelector<HTMLElement>("#settings")?.hidePopover();

/** The signed-in person, and the ways to sign out. */
function PersonPart({ nickname, hasChat }: SignedIn["person"]) {
  const texts = useTexts();
  return (
    <div class="person">
      <p>{texts.signedInAs(nickname)}</p>
      {hasChat && (
        <a class="button" href={accountHome} onClick={hideSettings}>
          {texts.account}
        </a>
      )}
      <SignOut />
    </div>
  );
}

/** The button and panel where a person sets how the pages look and behave, and signs out. */
export function Settings() {
  const { session } = useApp();
  const texts = useTexts();
  const person = session.current.value?.person;
  return (
    <>
      <IconButton shape="settings" label={texts.settings} popovertarget="settings" />
      <div id="settings" class="panel" popover="auto" role="group" aria-label={texts.settings}>
        <Choices />
        {person && <PersonPart {...person} />}
      </div>
    </>
  );
}
