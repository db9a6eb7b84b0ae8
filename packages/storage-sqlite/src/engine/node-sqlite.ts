// Rejects a Node that is too old. In such a Node, an import of `node:sqlite` would fail first, when modules are linked.
import "@telex/core";

/** The database that is built into Node. */
export const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
/** An open database. */
export type DatabaseSync = InstanceType<typeof DatabaseSync>;
