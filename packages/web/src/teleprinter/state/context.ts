import { createRequiredContext } from "../../base/required-context.ts";
import type { ConnectedTeleprinter } from "./connect.ts";

const teleprinter = createRequiredContext<ConnectedTeleprinter>("useTeleprinter");

/** Provides {@link ConnectedTeleprinter} to the components below. */
export const TeleprinterContext = teleprinter.Context;

/** @throws TypeError if no account is signed in */
export const useTeleprinter = teleprinter.use;
