import { Button } from "../ui/forms/button.tsx";
import { CountMark } from "../ui/lists/count-badge.tsx";
import { kinds, type OwnFiles } from "./own-files.ts";
import { useFileTexts } from "./texts.ts";

/** The number of files for each choice. */
function useCounts(own: OwnFiles): Readonly<Record<string, number>> {
  const counted = own.counted.value;
  const shared = new Set(own.links.value.map(({ file_id }) => file_id)).size;
  return { ...counted?.kinds, all: counted?.count ?? 0, shared };
}

/** Filters files by kind, or shows those that are shared by link. */
export function KindsNav({ own }: { readonly own: OwnFiles }) {
  const texts = useFileTexts();
  const counts = useCounts(own);
  const { kind } = own.wanted.value;
  return (
    <div class="sections" role="group" aria-label={texts.kindsLabel}>
      {(["all", ...kinds, "shared"] as const).map((one) => (
        <Button key={one} class="plain" aria-pressed={one === kind} onClick={() => void own.find({ kind: one })}>
          {texts.kinds[one]}
          <CountMark count={counts[one] ?? 0} />
        </Button>
      ))}
    </div>
  );
}
