import { useAccount } from "../../app/account.ts";
import { useAction } from "../../ui/actions/use-action.ts";
import { FileButton } from "../../ui/files/file-button.tsx";
import { ErrorText } from "../../ui/forms/error-text.tsx";
import type { RoomView } from "../content/api.ts";
import { useSideTexts } from "../content/side-texts.ts";

export function RoomPicture({ view: { groupId } }: { readonly view: RoomView }) {
  const { accounts } = useAccount();
  const texts = useSideTexts();
  const { busy, text, run } = useAction();
  const change = ([file]: readonly File[]): void => {
    if (file === undefined) return;
    run(async () => {
      await accounts.putRoomAvatar({ groupId, file });
      return texts.pictureChanged;
    });
  };
  return (
    <>
      <FileButton look="link" name={texts.changePicture} accept="image/*" busy={busy} onFiles={change} />
      <ErrorText text={text} />
    </>
  );
}
