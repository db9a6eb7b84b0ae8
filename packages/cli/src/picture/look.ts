import type { WriteStream } from "node:tty";
import type { Algo, OpenPicture } from "@telex/image-text/picture";
import { type ColourDepth, columnsWithin, type StyleOptions } from "@telex/image-text";
import { UsageError } from "../errors/errors.ts";

/** Options of `telex image` that affect the text. */
export interface LookOptions {
  readonly col?: number;
  readonly height?: number;
  readonly algo?: Algo;
  readonly out?: string;
  readonly crlf?: boolean;
  readonly style?: StyleOptions["style"] | "telex";
  readonly color?: boolean;
  readonly invert?: boolean;
  readonly ramp?: string;
}

/** The terminal that a picture is drawn for. */
interface Terminal {
  readonly columns: number;
  readonly rows: number;
  /** 0 if the terminal has no colours, or its user turned them off. */
  readonly depth: ColourDepth | 0;
}

/** How to draw a picture: like the service, or in a style. */
export type Look =
  | { readonly style: "telex"; readonly algo: Algo; readonly room: Room }
  | {
      readonly style: StyleOptions["style"];
      readonly options: Omit<StyleOptions, "col" | "style">;
      readonly room: Room;
    };

/** The maximum size of a picture in characters. */
interface Room {
  readonly columns: number;
  readonly rows: number;
}

/** The default width of the service. */
const serviceColumns = 69;

/** The size and colours of stdout; null if it is not a terminal. */
export function terminalOf(stream: WriteStream): Terminal | null {
  if (!stream.isTTY) return null;
  const bits = stream.getColorDepth();
  // A pseudo terminal without a size has 0 columns.
  return { columns: stream.columns || 80, rows: stream.rows || 24, depth: bits >= 24 ? 24 : bits >= 8 ? 8 : 0 };
}

/**
 * Decides how to draw a picture. Piped, or with `--out`, `--col`, `--algo` or `--style telex`, it becomes the text of the service. On a
 * terminal without these options it fits the terminal, in its colours.
 * @param isForPeople false for output that only programs read
 * @throws UsageError for options that exclude each other
 */
export function lookOf(options: LookOptions, terminal: Terminal | null, isForPeople: boolean): Look {
  const { style, algo = "gray", color, invert = false, ramp } = options;
  refuseMixture(options);
  const isStyled = color === true || invert || ramp !== undefined || (style !== undefined && style !== "telex");
  const isShown = terminal !== null && isForPeople && isFree(options);
  const room = roomOf(options, isShown ? terminal : null);
  if (!isStyled && !isShown) return { style: "telex", algo, room };
  const depth = terminal?.depth ?? 24;
  return {
    style: style === undefined || style === "telex" ? "ramp" : style,
    options: {
      color: color ?? (isShown && depth !== 0),
      // Explicitly requested colours are written even if the terminal claims to have none.
      depth: depth === 0 ? 24 : depth,
      invert,
      ...(ramp !== undefined && { ramp }),
    },
    room,
  };
}

/** True if no option asks for the text of the service. */
const isFree = ({ col, algo, out, style, crlf }: LookOptions): boolean =>
  col === undefined && algo === undefined && out === undefined && style !== "telex" && crlf !== true;

/** The available size. The last line of a terminal is left to the prompt. */
function roomOf({ col, height }: LookOptions, terminal: Terminal | null): Room {
  const rows = height ?? (terminal === null ? Number.MAX_SAFE_INTEGER : Math.max(1, terminal.rows - 1));
  const widest = height === undefined ? serviceColumns : 200;
  return { columns: col ?? terminal?.columns ?? widest, rows };
}

/** The number of columns at which a picture fits. */
export const columnsFor = (picture: OpenPicture, { columns, rows }: Room): number =>
  rows === Number.MAX_SAFE_INTEGER ? columns : columnsWithin(picture, { columns, rows });

function refuseMixture({ algo, style, color, invert, ramp }: LookOptions): void {
  if (ramp === "") throw new UsageError("--ramp needs at least one character.");
  const isPainted = color === true || invert === true || ramp !== undefined;
  if (algo === "border" && (isPainted || (style !== undefined && style !== "telex")))
    throw new UsageError("--algo border does not support --style, --color, --invert and --ramp. Leave them out.");
  if (style === "telex" && isPainted)
    throw new UsageError("--style telex does not support --color, --invert and --ramp. Leave them out.");
}
