export type { Finding } from "./match.ts";
export { createPinyin, warmPinyin } from "./pinyin.ts";
export type { Pinyin } from "./pinyin.ts";
export type { QueryWord } from "./query.ts";
export { createSearchReader, joinMatches } from "./reader.ts";
export type { MessageMatch, SearchReader } from "./reader.ts";
export { characterTerm, senderTerm } from "./term-numbers.ts";
export type { Spelling } from "./terms.ts";
export { textIn } from "./texts.ts";
