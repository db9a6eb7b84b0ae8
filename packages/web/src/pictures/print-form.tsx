import type { Signal } from "@preact/signals";
import { useTeleprinter } from "../teleprinter/state/context.ts";
import { paperColumns } from "../teleprinter/state/paper.ts";
import { labelled } from "../teleprinter/state/names.ts";
import { countCharacters, longestText } from "../base/count.ts";
import type { Photo } from "../photo/photo.ts";
import { widestOf } from "../photo/picture-text.ts";
import { LinkButton } from "../ui/forms/link-button.tsx";
import { SubmitButton } from "../ui/forms/submit-button.tsx";
import { SendTo } from "./send-to.tsx";
import { usePictureTexts } from "./texts.ts";

interface PrintFormProps {
  readonly photo: Photo;
  readonly text: string;
  readonly columns: Signal<number>;
}

/** Shown if a picture is too large for one text, with the width at which it fits. */
function TooLong({ photo, columns }: Pick<PrintFormProps, "photo" | "columns">) {
  const texts = usePictureTexts();
  const widest = widestOf(photo);
  const fit = (): void => {
    columns.value = widest;
  };
  return (
    <p class="hint">
      {texts.printTooLong(widest)} <LinkButton onClick={fit}>{texts.fit}</LinkButton>
    </p>
  );
}

/** Prints a picture on one of the person's devices. */
export function PrintForm({ photo, text, columns }: PrintFormProps) {
  const { devices, outbox } = useTeleprinter();
  const texts = usePictureTexts();
  const fits = countCharacters(text) <= longestText;
  const list = devices.list.value ?? [];
  const narrow = (deviceId: string): void => {
    columns.value = Math.min(columns.value, paperColumns(devices.find(deviceId), columns.value));
  };
  const options = labelled(list).map(({ device, label }) => ({
    value: device.deviceId,
    name: label,
  }));
  if (options.length === 0) return <p class="quiet">{texts.noDevices}</p>;
  return (
    <SendTo label={texts.device} options={options} onSend={(deviceId) => outbox.send(deviceId, text)} onChoose={narrow}>
      <SubmitButton label={texts.print} isReady={fits} />
      {!fits && <TooLong photo={photo} columns={columns} />}
    </SendTo>
  );
}
