import { isMeant } from "../rooms/content/mention.ts";
import type { Kind } from "./texts.ts";

/** One thing that can be found. */
export interface Item {
  /** Unique among all. */
  readonly key: string;
  readonly kind: Kind;
  readonly name: string;
  /** The name in pinyin, if it is Chinese. */
  readonly pinyin?: string;
  /** Where it leads; or the function that does it. */
  readonly target: string | (() => void);
}

/** Items that are shown of one kind, and of all. */
const mostOfKind = 8;
const most = 40;

/** True where the name begins with what was typed: shown before names that contain it. */
const begins = ({ name }: Item, typed: string): boolean =>
  name.toLocaleLowerCase().startsWith(typed.toLocaleLowerCase());

/** At most a few items of each kind, in their order. */
function fewOfEach(items: readonly Item[]): readonly Item[] {
  const counts = new Map<Kind, number>();
  return items.filter(({ kind }) => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return count <= mostOfKind;
  });
}

/** The items whose names match what was typed, by characters or by pinyin: first those that begin with it. */
export function matching(items: readonly Item[], typed: string): readonly Item[] {
  const query = typed.trim();
  if (query === "") return fewOfEach(items).slice(0, most);
  const matches = items.filter(({ name, pinyin = "" }) =>
    isMeant({ card: null, nickname: name, nicknamePinyin: pinyin }, query),
  );
  const first = matches.filter((item) => begins(item, query));
  return fewOfEach([...first, ...matches.filter((item) => !begins(item, query))]).slice(0, most);
}
