import type { QueryWord } from "./query.ts";
import { codeOf, initialsTerm, syllablesTerm } from "./term-numbers.ts";
import { type Taking, takingHan, takingInitial, beginsSyllable, takingsAt } from "./takings.ts";

/** The terms of one way to spell a word: a message that contains it so has all of them. */
export type Spelling = readonly number[];

function pairTerms(first: Taking | null, second: Taking): number[] {
  if (first === null) return [];
  const terms: number[] = [];
  if (first.initial !== null && second.initial !== null)
    terms.push(initialsTerm(codeOf(first.initial), codeOf(second.initial)));
  if (first.syllable !== null && second.syllable !== null) terms.push(syllablesTerm(first.syllable, second.syllable));
  return terms;
}

interface Walk {
  readonly from: number;
  readonly before: Taking | null;
  readonly takings: readonly Taking[];
}

/**
 * The terms of units next to each other, those that few messages have first: a store stops at the first one that a message
 * lacks. Pairs of syllables are rarest. The longest beginning of a word is rarer than the others.
 */
function spellingOf(takings: readonly Taking[]): Spelling {
  const pairs = takings.flatMap((taking, place) => pairTerms(takings[place - 1] ?? null, taking));
  const own = takings.flatMap(({ terms, initial, syllable, isWord }) =>
    syllable === null && initial !== null && !isWord ? [] : terms.toReversed(),
  );
  return [...new Set([...pairs.toReversed(), ...own, ...takings.flatMap(({ terms }) => terms)])];
}

/** A word of the text is followed by a Chinese character. Its syllable does not count, so that there are few spellings. */
function* takingsAfterWord(word: QueryWord, from: number): Generator<Taking> {
  const character = word[from];
  if (character === undefined) return;
  if (character.isHan) yield* takingHan(character, from);
  else if (beginsSyllable(character.text)) yield takingInitial(character.text, from + 1);
}

/** The spellings of a word, by what its first `depth` units may be. A word of the text is rare enough with what follows it. */
function* walk(word: QueryWord, { from, before, takings }: Walk, depth: number): Generator<Spelling> {
  for (const taking of takingsAt(word, from, before)) {
    const all = [...takings, taking];
    if (taking.to === word.length || (depth === 1 && !taking.isWord)) yield spellingOf(all);
    else if (taking.isWord) for (const next of takingsAfterWord(word, taking.to)) yield spellingOf([...all, next]);
    else yield* walk(word, { from: taking.to, before: taking, takings: all }, depth - 1);
  }
}

/** The most spellings of a word. Beyond, fewer characters of the word count. */
const mostSpellings = 48;

const deepest = 6;

/**
 * The ways to spell a word of a query, as terms: a text that contains the word has all terms of at least one of them. How many
 * there are is bounded, however long the word is.
 */
export function spellingsOf(word: QueryWord): readonly Spelling[] {
  for (let depth = deepest; ; depth -= 1) {
    const spellings = [...walk(word, { from: 0, before: null, takings: [] }, depth).take(mostSpellings + 1)];
    if (depth === 1 || spellings.length <= mostSpellings) return spellings;
  }
}
