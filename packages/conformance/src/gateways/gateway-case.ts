import { type GatewaySubject } from "./subject.ts";

/** One promise of `Gateway`, and its test. */
export interface GatewayCase {
  readonly name: string;
  /** Rejects when the gateway breaks the promise. */
  readonly run: (subject: GatewaySubject) => Promise<void>;
}

/** Names each case after its sentence. */
export const defineGatewayCases = (
  bodies: Readonly<Record<string, (subject: GatewaySubject) => Promise<void>>>,
): readonly GatewayCase[] => Object.entries(bodies).map(([sentence, run]) => ({ name: `gateway: ${sentence}`, run }));
