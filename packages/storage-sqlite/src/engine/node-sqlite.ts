// Refuses a Node that is too old. An import of `node:sqlite` would fail there first, when modules are linked.
import "@telex/core";

/** The database of Node itself. */
export const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
/** An open database. */
export type DatabaseSync = InstanceType<typeof DatabaseSync>;
