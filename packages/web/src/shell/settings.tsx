import { useApp, useTexts } from "../app/context.ts";
import { accountHome } from "../app/route.ts";
import type { SignedIn } from "../app/kept-person.ts";
import { SignOut } from "../account/sign-out.tsx";
import { Choices } from "../ui/panes/choices.tsx";
import { Button } from "../ui/forms/button.tsx";
import { IconButton } from "../ui/forms/icon-button.tsx";

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

function ReferenceLink() {
  const { reference } = useTexts();
  return (
    <a href="/reference" target="_blank" rel="noopener">
      {reference}
    </a>
  );
}

/** The button and the panel for settings and signing out. */
export function Settings() {
  const { session } = useApp();
  const texts = useTexts();
  const person = session.current.value?.person;
  return (
    <>
      {person === undefined ? (
        <IconButton shape="settings" label={texts.settings} popovertarget="settings" />
      ) : (
        <Button class="own-face" aria-label={texts.settings} title={person.nickname} popovertarget="settings">
          <img src={`/api/avatar/get/personal?id=${person.userId}&size=80`} alt="" width={28} height={28} />
        </Button>
      )}
      <div id="settings" class="panel" popover="auto" role="group" aria-label={texts.settings}>
        <Choices />
        <ReferenceLink />
        {person && <PersonPart {...person} />}
      </div>
    </>
  );
}
