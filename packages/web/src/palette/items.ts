import { isMeant } from "../rooms/content/mention.ts";
import type { Kind } from "./texts.ts";

/** An item that the palette can find. */
export interface Item {
  /** Unique among all items. */
  readonly key: string;
  readonly kind: Kind;
  readonly name: string;
  /** The pinyin of a Chinese name. */
  readonly pinyin?: string;
  /** The URL to open, or the function to call. */
  readonly target: string | (() => void);
}

/** The maximum number of items of one kind, and in total. */
const mostOfKind = 8;
const most = 40;

/** True if the name begins with the typed text. Such items come before those whose names contain it. */
const begins = ({ name }: Item, typed: string): boolean =>
  name.toLocaleLowerCase().startsWith(typed.toLocaleLowerCase());

/** The first few items of each kind. */
function fewOfEach(items: readonly Item[]): readonly Item[] {
  const counts = new Map<Kind, number>();
  return items.filter(({ kind }) => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return count <= mostOfKind;
  });
}

/** The items whose names match the typed text by characters or pinyin. Those that begin with it come first. */
export function matching(items: readonly Item[], typed: string): readonly Item[] {
  const query = typed.trim();
  if (query === "") return fewOfEach(items).slice(0, most);
  const matches = items.filter(({ name, pinyin = "" }) =>
    isMeant({ card: null, nickname: name, nicknamePinyin: pinyin }, query),
  );
  const first = matches.filter((item) => begins(item, query));
  return fewOfEach([...first, ...matches.filter((item) => !begins(item, query))]).slice(0, most);
}
