import type { PortableCall, PortableResult } from "../driver/portable-calls.ts";
import type { Ref } from "../driver/ref.ts";
import type { Tx } from "../driver/transaction.ts";

/** Writes a value as a field of a document and reads it: undefined if the document has another field. */
interface Form<Value, Document> {
  readonly write: (value: Value) => Document;
  readonly read: (document: Document) => Value | undefined;
}

/** A verb that any server can run. */
export interface Portable<Input, Result> {
  readonly call: Form<Input, PortableCall>;
  readonly result: Form<Result, PortableResult>;
  readonly root: (input: Input) => string;
  /** Documents that the verb finds. Default: none. */
  readonly load?: (input: Input) => readonly Ref[];
  /** About how many bytes the verb writes. Default: 0. */
  readonly bytes?: (input: Input) => number;
  readonly run: (tx: Tx, input: Input) => Promise<Result>;
}

/** A verb that recognizes its own calls. */
interface Runner {
  readonly load: (call: PortableCall) => readonly Ref[];
  /** Null if the call is for another verb. */
  readonly run: (tx: Tx, call: PortableCall) => Promise<PortableResult | null>;
}

/** The portable verbs that the stores have defined. */
export function createPortables() {
  const runners: Runner[] = [];
  return {
    add<Input, Result>({ call: { read }, result, load = () => [], run }: Portable<Input, Result>): void {
      runners.push({
        load: (call) => {
          const input = read(call);
          return input === undefined ? [] : load(input);
        },
        run: async (tx, call) => {
          const input = read(call);
          return input === undefined ? null : result.write(await run(tx, input));
        },
      });
    },
    load: (call: PortableCall): readonly Ref[] => runners.flatMap((runner) => runner.load(call)),
    /** @throws Error if the call comes from a later version and this one does not know the verb (as a rejection) */
    async run(tx: Tx, call: PortableCall): Promise<PortableResult> {
      for (const runner of runners) {
        const result = await runner.run(tx, call);
        if (result !== null) return result;
      }
      throw new Error("An errand has an unknown verb.");
    },
  };
}

export type Portables = ReturnType<typeof createPortables>;
