import { useMemo, useState } from "preact/hooks";
import { backgroundOf, pictureText } from "../../photo/picture-text.ts";
import type { Photo } from "../../photo/photo.ts";
import { TextPicture } from "../../ui/panes/text-picture.tsx";
import { usePhoto } from "../../photo/use-photo.ts";
import { Button } from "../../ui/forms/button.tsx";
import { Dialog } from "../../ui/panes/dialog.tsx";
import { TabLink } from "../../ui/lists/tab-link.tsx";
import { useRoomTexts } from "../content/texts.ts";

const columns = 72;

/** Fetches the bytes of a picture on demand. */
function useBytes(address: string) {
  const [bytes, setBytes] = useState<Blob | null>(null);
  const load = async (): Promise<void> => setBytes(await (await fetch(address)).blob());
  return { bytes, load };
}

/** Converts a picture to text on demand. */
function useAsText(address: string) {
  const { bytes, load } = useBytes(address);
  const { photo } = usePhoto(bytes);
  const [isText, setIsText] = useState(false);
  const toggle = (): void => {
    setIsText(!isText);
    if (bytes === null) void load();
  };
  return { isText, photo, toggle };
}

function AsText({ photo }: { readonly photo: Photo }) {
  const text = useMemo(() => pictureText(photo.before(backgroundOf("ramp")), "ramp", columns), [photo]);
  const size = { lines: text.split("\n").length, columns };
  return <TextPicture text={text} {...size} look="print picture preview" />;
}

function OpenOriginal({ href }: { readonly href: string }) {
  const texts = useRoomTexts();
  return (
    <TabLink class="button" href={href}>
      {texts.openOriginal}
    </TabLink>
  );
}

/** A picture in full size, or as text. */
export function PictureDialog({ file, onClose }: { readonly file: string; readonly onClose: () => void }) {
  const texts = useRoomTexts();
  const address = `/download/${encodeURIComponent(file)}`;
  const { isText, photo, toggle } = useAsText(address);
  return (
    <Dialog title={texts.pictureTitle} onClose={onClose}>
      {isText && photo !== null ? <AsText photo={photo} /> : <img class="whole" src={address} alt="" />}
      <div class="actions">
        <Button onClick={toggle}>{isText ? texts.asPicture : texts.asText}</Button>
        <OpenOriginal href={address} />
      </div>
    </Dialog>
  );
}
