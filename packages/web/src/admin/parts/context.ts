import type { OperatorClient } from "@telex/http/client";
import { createRequiredContext } from "../../base/required-context.ts";

const operator = createRequiredContext<OperatorClient>("useOperator");

/** Gives the calls of admins to the components below. */
export const OperatorContext = operator.Context;

/** @throws TypeError outside of the page for admins */
export const useOperator = operator.use;
