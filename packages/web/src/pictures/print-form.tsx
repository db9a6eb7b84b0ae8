import type { DeviceView } from "@telex/core";
import type { Signal } from "@preact/signals";
import { useId, useState } from "preact/hooks";
import { useAccount, useApp } from "../context.ts";
import { countCharacters, longestText } from "../teleprinter/count.ts";
import type { Photo } from "../teleprinter/photo.ts";
import { widestOf } from "../teleprinter/picture-text.ts";
import { usePictureTexts } from "./texts.ts";

/** What is printed. */
interface PrintFormProps {
  readonly photo: Photo;
  readonly text: string;
  readonly columns: Signal<number>;
}

/** A picture that is too large for one text, and the width at which it is not. */
function TooLong({ photo, columns }: Pick<PrintFormProps, "photo" | "columns">) {
  const texts = usePictureTexts();
  const widest = widestOf(photo);
  const fit = (): void => {
    columns.value = widest;
  };
  return (
    <p class="hint">
      {texts.printTooLong(widest)}{" "}
      <button type="button" class="link" onClick={fit}>
        {texts.fit}
      </button>
    </p>
  );
}

interface DeviceChoiceProps {
  readonly id: string;
  readonly devices: readonly DeviceView[];
  readonly deviceId: string;
  readonly onDevice: (deviceId: string) => void;
}

function DeviceChoice({ id, devices, deviceId, onDevice }: DeviceChoiceProps) {
  return (
    <select id={id} value={deviceId} onChange={({ currentTarget }) => onDevice(currentTarget.value)}>
      {devices.map((device) => (
        <option key={device.deviceId} value={device.deviceId}>
          {device.name}
        </option>
      ))}
    </select>
  );
}

/** Prints a picture on one of the person's devices. */
export function PrintForm({ photo, text, columns }: PrintFormProps) {
  const { devices, outbox } = useAccount().teleprinter;
  const { notices } = useApp();
  const texts = usePictureTexts();
  const id = useId();
  const [chosen, setChosen] = useState("");
  const list = devices.list.value ?? [];
  const device = list.find(({ deviceId }) => deviceId === chosen) ?? list[0];
  if (device === undefined) return <p class="quiet">{texts.noDevices}</p>;
  const fits = countCharacters(text) <= longestText;
  const print = (event: Event): void => {
    event.preventDefault();
    outbox.send(device.deviceId, text);
    notices.say(texts.printed(device.name));
  };
  return (
    <form class="send-to" onSubmit={print}>
      <label for={id}>{texts.device}</label>
      <DeviceChoice id={id} devices={list} deviceId={device.deviceId} onDevice={setChosen} />
      <button type="submit" class="primary" disabled={!fits}>
        {texts.print}
      </button>
      {!fits && <TooLong photo={photo} columns={columns} />}
    </form>
  );
}
