import type { RecentClient } from "@telex/metrics/client";
import { createRequiredContext } from "../../base/required-context.ts";

const recent = createRequiredContext<RecentClient>("useRecent");

/** Provides the functions about the last hours to the components below. */
export const RecentContext = recent.Context;

/** @throws TypeError outside of the page for admins */
export const useRecent = recent.use;
