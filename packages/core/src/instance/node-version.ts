/** The `engines` of every package, for a person. */
const needed = "22.23, 24.15 or 26.10, or a newer one of these";

/**
 * Refuses a Node that is too old, before a later failure hides the reason.
 * @param version the version of Node, such as `22.23.3`
 * @throws Error
 */
export function assertNode(version: string): void {
  if (Number(version.split(".")[0]) < 22) throw new Error(`Telex needs Node ${needed}. This is Node ${version}.`);
}
