export { checkOptions, maskAll, maskUrl, nearest, optionKinds, suggestion } from "@telex/ground/options";
export type { OptionKind, OptionKinds } from "@telex/ground/options";
