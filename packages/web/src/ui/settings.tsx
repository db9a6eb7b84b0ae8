import { useState } from "preact/hooks";
import { useApp, useTexts } from "../context.ts";
import { languageNames } from "../i18n/language.ts";
import { enterKeys, languageChoices, themes } from "../preferences.ts";
import { TokensDialog } from "../session/tokens-dialog.tsx";
import { Choice } from "./choice.tsx";
import { Icon } from "./icon.tsx";

/** The button and panel where a person sets how the pages look and behave, and signs out. */
export function Settings() {
  const { preferences, session } = useApp();
  const texts = useTexts();
  const [showsTokens, setTokens] = useState(false);
  const person = session.current.value?.person;
  const themeNames = { auto: texts.automatic, light: texts.light, dark: texts.dark };
  const enterNames = { send: texts.enterSends, break: texts.enterBreaks };
  return (
    <>
      <button type="button" class="plain" popovertarget="settings" aria-label={texts.settings}>
        <Icon shape="settings" />
      </button>
      <div id="settings" class="panel" popover="auto" role="group" aria-label={texts.settings}>
        <Choice
          label={texts.language}
          value={preferences.language}
          options={languageChoices}
          name={(option) => (option === "auto" ? texts.automatic : languageNames[option])}
        />
        <Choice label={texts.theme} value={preferences.theme} options={themes} name={(option) => themeNames[option]} />
        <Choice
          label={texts.enterKey}
          value={preferences.enterKey}
          options={enterKeys}
          name={(option) => enterNames[option]}
        />
        {person && (
          <div class="person">
            <p>{texts.signedInAs(person.nickname)}</p>
            <button type="button" popovertarget="settings" popovertargetaction="hide" onClick={() => setTokens(true)}>
              {texts.accessTokens}
            </button>
            <button type="button" onClick={session.signOut}>
              {texts.signOut}
            </button>
          </div>
        )}
      </div>
      {person && showsTokens && <TokensDialog onClose={() => setTokens(false)} />}
    </>
  );
}
