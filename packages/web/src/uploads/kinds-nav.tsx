import { Button } from "../ui/forms/button.tsx";
import { kinds, type OwnFiles } from "./own-files.ts";
import { useFileTexts } from "./texts.ts";

/** The kinds of files to choose from. */
export function KindsNav({ own }: { readonly own: OwnFiles }) {
  const texts = useFileTexts();
  const { kind } = own.wanted.value;
  return (
    <div class="kinds" role="group" aria-label={texts.kindsLabel}>
      {(["all", ...kinds] as const).map((one) => (
        <Button key={one} class="plain" aria-pressed={one === kind} onClick={() => void own.find({ kind: one })}>
          {texts.kinds[one]}
        </Button>
      ))}
    </div>
  );
}
