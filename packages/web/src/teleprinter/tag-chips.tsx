import type { DeviceView } from "@telex/core";
import { useTexts } from "../app/context.ts";
import { Button } from "../ui/forms/button.tsx";

/** The tags of devices, in alphabetical order. */
export const tagsOf = (devices: readonly DeviceView[]): readonly string[] =>
  [...new Set(devices.flatMap(({ tags }) => tags ?? []))].toSorted((a, b) => a.localeCompare(b));

interface TagChipsProps {
  readonly tags: readonly string[];
  /** Null for all devices. */
  readonly chosen: string | null;
  readonly onChoose: (tag: string | null) => void;
}

/** Filters devices by one tag. */
export function TagChips({ tags, chosen, onChoose }: TagChipsProps) {
  const texts = useTexts();
  return (
    <div class="chips" role="group" aria-label={texts.deviceTags}>
      <Button class="chip" aria-pressed={chosen === null} onClick={() => onChoose(null)}>
        {texts.allDevices}
      </Button>
      {tags.map((tag) => (
        <Button key={tag} class="chip" aria-pressed={chosen === tag} onClick={() => onChoose(tag)}>
          {tag}
        </Button>
      ))}
    </div>
  );
}
