import type { AccountClient } from "@telex/auth-server/client";
import type { OperatorClient } from "@telex/http/client";
import { createRequiredContext } from "../../base/required-context.ts";

const operator = createRequiredContext<OperatorClient>("useOperator");

const accounts = createRequiredContext<AccountClient["admin"]>("useAccounts");

/** Provides the account functions for admins to the components below. */
export const AccountsContext = accounts.Context;

/** @throws TypeError outside of the page for admins */
export const useAccounts = accounts.use;

/** Provides the operations of the operator to the components below. */
export const OperatorContext = operator.Context;

/** @throws TypeError outside of the page for admins */
export const useOperator = operator.use;
