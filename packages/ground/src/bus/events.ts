/** The events of a map: each name is a kind, and its value has the fields of an event of this kind. */
export type EventOf<M, K extends keyof M = keyof M> = { [P in K]: { readonly kind: P } & Readonly<M[P]> }[K];

/** A function for each kind of event. */
export type TableOf<M, R> = { readonly [K in keyof M]: (event: EventOf<M, K>) => R };

/** Calls the function for the kind of an event. Undefined for an unknown kind, which a server of a later version sends. */
export function dispatch<M, K extends keyof M, R>(table: TableOf<M, R>, event: EventOf<M, K>): R | undefined {
  return Object.hasOwn(table, event.kind) ? table[event.kind](event) : undefined;
}
