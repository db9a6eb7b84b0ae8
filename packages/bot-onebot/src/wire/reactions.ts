/**
 * Emoji for the faces of QQ with which people react. A number of more than three digits is the code point of an emoji instead. A face without a
 * row has no emoji with the same meaning.
 */
const faces: ReadonlyMap<string, string> = new Map(
  Object.entries({
    5: "😢",
    8: "😴",
    9: "😭",
    12: "😜",
    14: "🙂",
    16: "😎",
    25: "🥱",
    26: "😱",
    32: "❓",
    33: "🤫",
    34: "😵",
    39: "👋",
    49: "🤗",
    53: "🎂",
    60: "☕",
    63: "🌹",
    66: "❤️",
    74: "☀️",
    75: "🌙",
    76: "👍",
    78: "🤝",
    79: "✌️",
    89: "🍉",
    99: "👏",
    118: "🙏",
    120: "✊",
    123: "🙅",
    124: "👌",
    171: "🍵",
    179: "🐶",
    182: "😂",
    264: "🤦",
    277: "🐕",
    282: "🫡",
    307: "🐱",
    320: "🎉",
    326: "😡",
  }),
);

const faceOf: ReadonlyMap<string, string> = new Map(Array.from(faces, ([face, emoji]) => [emoji, face]));

const variation = "\u{FE0F}";

/** The emoji of a reaction of QQ; null if it has none. */
export function emojiOfFace(face: string): string | null {
  if (!/^\d{4,7}$/.test(face)) return faces.get(face) ?? null;
  const code = Number(face);
  const character = code > 0x10_ff_ff ? "" : String.fromCodePoint(code);
  return [character, character + variation].find((form) => /^\p{RGI_Emoji}$/v.test(form)) ?? null;
}

/** The id of the reaction with an emoji in QQ: a face if it has one, otherwise the code point; null for an emoji of several code points. */
export function faceOfEmoji(emoji: string): string | null {
  const [first = "", ...others] = emoji.replace(variation, "");
  return faceOf.get(emoji) ?? (others.length === 0 ? String(first.codePointAt(0)) : null);
}
