import { useAccount } from "../app/account.ts";
import { useApp } from "../app/context.ts";
import { Danger } from "../ui/actions/danger.tsx";
import { Button } from "../ui/forms/button.tsx";
import { ErrorText } from "../ui/forms/error-text.tsx";
import { useTask } from "../ui/forms/use-task.ts";
import { Section } from "../ui/panes/sections.tsx";
import { useAccountTexts } from "./texts/texts.ts";

/** The first response only checks that the download is allowed. The browser then saves the second one as it arrives, however long it is. */
async function download(accounts: ReturnType<typeof useAccount>["accounts"]): Promise<void> {
  const { body } = await accounts.exportData();
  await body?.cancel();
  Object.assign(document.createElement("a"), { href: "/external/api/v1/account/export", download: "" }).click();
}

/** Downloads all data that the server stores about the person. */
function Export() {
  const { accounts } = useAccount();
  const texts = useAccountTexts();
  const task = useTask();
  return (
    <>
      <ErrorText text={task.error} />
      <Button disabled={task.busy} onClick={() => task.run(() => download(accounts))}>
        {texts.exportData}
      </Button>
    </>
  );
}

/** Deletes the account after a confirmation. */
function RemoveAccount() {
  const { accounts } = useAccount();
  const { session } = useApp();
  const texts = useAccountTexts();
  const remove = async (): Promise<null> => {
    await accounts.remove({});
    await session.signOut();
    return null;
  };
  return <Danger label={texts.remove} title={texts.removeTitle} lead={texts.removeLead} work={remove} />;
}

export function YourData() {
  const texts = useAccountTexts();
  return (
    <Section title={texts.yourData}>
      <p>{texts.yourDataLead}</p>
      <div class="actions">
        <Export />
        <RemoveAccount />
      </div>
    </Section>
  );
}
