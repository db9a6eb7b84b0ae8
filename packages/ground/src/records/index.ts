export { flag, integer, integerOrNull, text, textOrNull, texts } from "./fields.ts";
