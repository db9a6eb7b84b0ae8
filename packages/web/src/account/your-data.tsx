import { useAccount } from "../app/account.ts";
import { useApp } from "../app/context.ts";
import { Danger } from "../ui/actions/danger.tsx";
import { useAccountTexts } from "./texts/texts.ts";

/** Deletes the account, after a question, and the password if signing in was long ago. */
export function RemoveAccount() {
  const { accounts } = useAccount();
  const { session } = useApp();
  const texts = useAccountTexts();
  const remove = async (): Promise<null> => {
    await accounts.remove({});
    await session.signOut();
    return null;
  };
  return (
    <div class="actions">
      <Danger label={texts.remove} title={texts.removeTitle} lead={texts.removeLead} work={remove} />
    </div>
  );
}
