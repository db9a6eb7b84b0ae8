export { checkOptions, optionKinds } from "./check-options.ts";
export type { OptionKind, OptionKinds } from "./check-options.ts";
export { maskAll, maskUrl, shownConnect } from "./mask.ts";
export { nearest, suggestion } from "./nearest.ts";
