import { TelexError } from "@telex/core";
import type { HttpLimits } from "../limits.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { measure } from "./measure.ts";
import { announcedSize } from "../exchange/source.ts";
import type { BodyBounds } from "./body-cost.ts";

/** The limits of a JSON body. */
export type BodyLimits = BodyBounds & Pick<HttpLimits, "bodyTime" | "bodyDepth">;

const isDeeper = (value: unknown, depth: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1)));

export function refuseDepth(value: unknown, max: number): unknown {
  if (!isDeeper(value, max)) return value;
  throw new TelexError("invalid_request", { issues: [{ path: "", problem: "too_deep", params: { max } }] });
}

/** Called with the size of a body once it is known, unless the body is refused for it. */
export type Sized = (size: number) => void;

/** The bytes of a body that a parser of the host has read. */
export function parsedSize(exchange: Exchange, limits: BodyLimits): number {
  const announced = announcedSize(exchange);
  const { bodySize, besidePictures = bodySize } = limits;
  if (announced <= besidePictures) return announced;
  const measured = measure(exchange.body.parsed, { bodySize, besidePictures, depth: limits.bodyDepth });
  return Number.isNaN(announced) ? measured : announced;
}
