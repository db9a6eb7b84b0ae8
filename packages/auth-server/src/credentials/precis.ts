/** The classes of characters of RFC 8264: usernames take the narrow one, passwords the wide one. */
type StringClass = "identifier" | "freeform";

/** Characters that RFC 8264 lists one by one (9.6): those that are valid despite their category, and those that are not. */
const validExceptions = /^[\u{df}\u{3c2}\u{6fd}\u{6fe}\u{f0b}\u{3007}]$/u;
const invalidExceptions = /^[\u{302e}\u{302f}\u{640}\u{7fa}\u{3031}-\u{3035}\u{303b}]$/u;
const oldHangulJamo = /^[\u{1100}-\u{11ff}\u{a960}-\u{a97c}\u{d7b0}-\u{d7c6}\u{d7cb}-\u{d7fb}]$/u;
const neverValid = /^[\p{Cn}\p{Cc}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]$/u;
const lettersAndDigits = /^[\p{Ll}\p{Lu}\p{Lo}\p{Nd}\p{Lm}\p{Mn}\p{Mc}]$/u;
const freeform = /^[\p{Lt}\p{Nl}\p{No}\p{Me}\p{Zs}\p{S}\p{P}]$/u;

type Rule = (before: string, after: string, whole: string) => boolean;

/** Characters that are valid only between certain others (RFC 5892 appendix A). */
const contextRules: readonly (readonly [characters: RegExp, rule: Rule])[] = [
  [/^\u{b7}$/u, (before, after) => before.endsWith("l") && after.startsWith("l")],
  [/^\u{375}$/u, (_before, after) => /^\p{Script=Greek}/u.test(after)],
  [/^[\u{5f3}\u{5f4}]$/u, (before) => /\p{Script=Hebrew}$/u.test(before)],
  [/^\u{30fb}$/u, (_before, _after, whole) => /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(whole)],
  [/^[\u{660}-\u{669}]$/u, (_before, _after, whole) => !/[\u{6f0}-\u{6f9}]/u.test(whole)],
  [/^[\u{6f0}-\u{6f9}]$/u, (_before, _after, whole) => !/[\u{660}-\u{669}]/u.test(whole)],
  // RFC 5892 A.1 and A.2 permit joiners after a virama. They are invisible, so that two names could look alike.
  [/^\p{Join_Control}$/u, () => false],
];

/** The derived property of a character without a context rule, in the order of RFC 8264 8. */
function isValid(character: string, kind: StringClass): boolean {
  if (validExceptions.test(character)) return true;
  if (invalidExceptions.test(character)) return false;
  if (/^[!-~]$/.test(character)) return true;
  if (oldHangulJamo.test(character) || neverValid.test(character)) return false;
  if (character.normalize("NFKC") !== character) return kind === "freeform";
  return lettersAndDigits.test(character) || (kind === "freeform" && freeform.test(character));
}

/** True for a text whose characters all belong to a class of RFC 8264. */
export function isInClass(text: string, kind: StringClass): boolean {
  let index = 0;
  for (const character of text) {
    const end = index + character.length;
    const rule = contextRules.find(([characters]) => characters.test(character))?.[1];
    const isAllowed = rule === undefined ? isValid(character, kind) : rule(text.slice(0, index), text.slice(end), text);
    if (!isAllowed) return false;
    index = end;
  }
  return true;
}

/** Blocks that are written from right to left, with those that Unicode keeps free for such scripts. */
const rightToLeft = /^[\u{590}-\u{8ff}\u{fb1d}-\u{fdff}\u{fe70}-\u{feff}\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]$/u;
const europeanDigit = /^[0-9\u{6f0}-\u{6f9}]$/u;
const arabicDigit =
  /^[\u{600}-\u{605}\u{660}-\u{669}\u{6dd}\u{890}\u{891}\u{8e2}\u{10d30}-\u{10d39}\u{10d40}-\u{10d49}]$/u;
/** Letters that have no direction of their own. */
const neutralLetter =
  /^[\u{2b9}\u{2ba}\u{2c6}-\u{2cf}\u{2ec}\u{374}\u{2e2f}\u{a67f}\u{a717}-\u{a71f}\u{a788}\u{a9cf}]$/u;

type BidiType = "L" | "R" | "AN" | "EN" | "NSM" | "neutral";

/** The bidirectional class of a character of a username, with R for AL, and one word for the neutral classes. */
function bidiTypeOf(character: string): BidiType {
  if (/^[\p{Mn}\p{Me}]$/u.test(character)) return "NSM";
  if (arabicDigit.test(character)) return "AN";
  if (europeanDigit.test(character)) return "EN";
  if (rightToLeft.test(character)) return "R";
  return /^[\p{L}\p{Mc}\p{Nd}\u{f0b}\u{3007}]$/u.test(character) && !neutralLetter.test(character) ? "L" : "neutral";
}

/** True if a username obeys the Bidi Rule (RFC 5893 2), which holds for texts with characters that are written from right to left. */
export function obeysBidiRule(text: string): boolean {
  const types = Array.from(text, bidiTypeOf);
  if (!types.includes("R") && !types.includes("AN")) return true;
  const last = types.findLast((type) => type !== "NSM");
  // A label that begins with L has no R and no AN, so that it is not looked at here.
  if (types[0] !== "R" || types.includes("L")) return false;
  return last !== "neutral" && !(types.includes("EN") && types.includes("AN"));
}
