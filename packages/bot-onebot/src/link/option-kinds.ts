import { type OptionKind, optionKinds } from "@telex/core/options";

/** A function. */
export const functionKind: OptionKind = { expected: "a function", fits: (value) => typeof value === "function" };

/** Bounds the memory of unfinished frames. */
export const incomingKind: OptionKind = optionKinds.port(["open"], "the incoming of createOneBot()");

/** A limiter of rates, or a function that returns it. */
export const limiterKind: OptionKind = optionKinds.anyOf(
  optionKinds.port(["count", "charge"], "createRateLimiter()"),
  functionKind,
);
