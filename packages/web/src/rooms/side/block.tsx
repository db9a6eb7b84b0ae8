import { useAccount } from "../../app/account.ts";
import { Danger } from "../../ui/actions/danger.tsx";
import { useAction } from "../../ui/actions/use-action.ts";
import { Button } from "../../ui/forms/button.tsx";
import { ErrorText } from "../../ui/forms/error-text.tsx";
import type { MemberView } from "../content/api.ts";
import { nameOf } from "../content/mention.ts";
import { useSideTexts } from "../content/side-texts.ts";
import { useLoaded } from "../../ui/actions/use-loaded.ts";

/** Blocks a person after a confirmation, or ends the block. */
export function Block({ member }: { readonly member: MemberView }) {
  const { groups } = useAccount().accounts;
  const texts = useSideTexts();
  const { value, error, reload } = useLoaded(async () => (await groups.blocks({})).list);
  const { busy, text, run } = useAction();
  const [userId, name] = [Number(member.userId), nameOf(member)];
  const block = async (): Promise<string> => {
    await groups.block({ userId });
    await reload();
    return texts.blocked(name);
  };
  const unblock = async (): Promise<string> => {
    await groups.unblock({ userId });
    await reload();
    return texts.unblocked(name);
  };
  if (value === null) return <ErrorText text={error} />;
  const isBlocked = value.some((one) => one.userId === member.userId);
  if (!isBlocked)
    return <Danger look="" label={texts.block} title={texts.blockTitle(name)} lead={texts.blockLead} work={block} />;
  return (
    <>
      <Button disabled={busy} onClick={() => run(unblock)}>
        {texts.unblock}
      </Button>
      <ErrorText text={text ?? error} />
    </>
  );
}
