// text: create-telex-imports
import { fileURLToPath } from "node:url";
// /text

/** The command that installs a project, as the setting in `scripts/release/published.ts` of the repository has it. */
// text: create-telex
// The folder of the packages in this clone.
export const installCommand = `npm install ${fileURLToPath(new URL("../../../packed", import.meta.url))}/*.tgz`;
// /text
