import { kernelCode } from "./code.ts";

/** Undoes a filter of PNG for one row of pixels of three bytes. `above` is the unfiltered row above; all are addresses. */
export type Unfilter = (from: number, above: number, to: number, length: number) => void;

interface KernelFunctions {
  /** Adds the bytes of a row to sums of 16 bits. */
  readonly addRow: (from: number, length: number, sums: number) => void;
  readonly sub: Unfilter;
  readonly up: Unfilter;
  readonly average: Unfilter;
  readonly paeth: Unfilter;
}

/** The inner loops of image to text in WebAssembly (decision record 0032), and the memory they work on. */
export interface Kernel extends KernelFunctions {
  /** The memory. It is never moved, so views of it stay valid. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where each area begins. */
  readonly areas: readonly number[];
}

// Neither the types of Node nor those of the language have it.
declare const WebAssembly: {
  readonly Memory: new (options: { readonly initial: number }) => { readonly buffer: ArrayBuffer };
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> };
};

type Exported = (...numbers: number[]) => void;

const isExported = (value: unknown): value is Exported => typeof value === "function";

const page = 65_536;

/** Bytes after an area that the functions may touch. */
const slack = 32;

/** @param sizes bytes of the areas of memory that are needed */
export function createKernel(sizes: readonly number[]): Kernel {
  const areas: number[] = [];
  let end = 0;
  for (const size of sizes) {
    areas.push(end);
    end += 16 * Math.ceil((size + slack) / 16);
  }
  const memory = new WebAssembly.Memory({ initial: Math.ceil(end / page) });
  const module = new WebAssembly.Module(Buffer.from(kernelCode, "base64"));
  const { exports } = new WebAssembly.Instance(module, { kernel: { memory } });
  const exported = (name: keyof KernelFunctions): Exported => {
    const value = exports[name];
    if (!isExported(value)) throw new TypeError(`The kernel does not export "${name}".`);
    return value;
  };
  return {
    addRow: exported("addRow"),
    sub: exported("sub"),
    up: exported("up"),
    average: exported("average"),
    paeth: exported("paeth"),
    bytes: new Uint8Array(memory.buffer),
    areas,
  };
}
