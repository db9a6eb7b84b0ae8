import type { ErrorCode } from "@telex/core";
import type { Operation } from "@telex/core/contract";
import type { Route } from "../routes.ts";
import { isOpen, type RoutedOperation } from "../endpoints/operations.ts";
import { statusOf } from "../status.ts";

/** The address of an operation as OpenAPI writes it. */
export const template = (path: string): string => path.replace(/:(\w+)/g, "{$1}");

/** How the token of a call is carried, as OpenAPI lists it: any of these. */
export function securityOf(operation: Operation, route: Route): Record<string, string[]>[] {
  const header = { header: [] };
  const schemes = route.token === "header_or_query" ? [header, { query: [] }] : [header];
  if (operation.access === "none") return [];
  return isOpen(operation) ? [{}, ...schemes] : schemes;
}

/** The errors of an operation in addition to its own. */
function commonErrors({ operation, route }: RoutedOperation): ErrorCode[] {
  const token: ErrorCode[] = isOpen(operation) && operation.access === "none" ? [] : ["invalid_token"];
  const scope: ErrorCode[] = operation.access === "token" ? [] : ["insufficient_scope"];
  const body: ErrorCode[] = route.input === "query" ? [] : ["timeout", "too_large", "unsupported_media"];
  return [
    "invalid_request",
    ...token,
    ...scope,
    ...body,
    "rate_limited",
    "internal",
    "storage_unavailable",
    "shutting_down",
  ];
}

/** The words of all errors of an operation, by status. */
export function failuresOf(routed: RoutedOperation): readonly (readonly [status: string, words: string])[] {
  const codes = [...new Set([...routed.operation.errors, ...commonErrors(routed)])];
  const byStatus = Object.groupBy(codes, (code) => String(statusOf[code]));
  return Object.entries(byStatus).map(([status, ofStatus = []]) => [
    status,
    ofStatus
      .toSorted()
      .map((code) => `\`${code}\``)
      .join(", "),
  ]);
}
