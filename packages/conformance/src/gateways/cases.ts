import { closingCases } from "./closing.ts";
import type { GatewayCase } from "./gateway-case.ts";
import { receivingCases } from "./receiving.ts";
import { sendingCases } from "./sending.ts";

/** Every promise of `Gateway`. */
export const gatewayCases: readonly GatewayCase[] = [...sendingCases, ...receivingCases, ...closingCases];
