/** A person's description of a change: a file of `.changeset/`. */
export interface Change {
  readonly bump: "major" | "minor" | "patch";
  readonly text: string;
}

const bumps = ["major", "minor", "patch"] as const;
const headings = { major: "Breaking", minor: "New", patch: "Mended" } as const;
const mark = "<!-- releases -->\n";

/**
 * Reads a changeset: the packages with their bumps between two lines of dashes, then the text. All packages have the same version, so the
 * largest bump counts.
 * @throws Error if it names no package, or has no text
 */
export function changeOf(name: string, file: string): Change {
  const [, packages = "", text = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(file) ?? [];
  const bump = bumps.find((one) => packages.includes(`: ${one}`));
  if (bump === undefined || text.trim() === "") throw new Error(`${name} must name packages, and describe the change.`);
  return { bump, text: text.trim() };
}

const sectionOf = (changes: readonly Change[]) => (bump: Change["bump"]) => {
  const texts = changes.filter((change) => change.bump === bump).map(({ text }) => text);
  return texts.length === 0 ? [] : [`### ${headings[bump]}`, ...texts];
};

/**
 * Adds a release at the top of the changelog.
 * @throws Error if the changelog already has this version, or lacks the mark
 */
export function withRelease(changelog: string, version: string, changes: readonly Change[]): string {
  if (changelog.includes(`\n## ${version}\n`)) throw new Error(`CHANGELOG.md has ${version} already.`);
  if (!changelog.includes(mark)) throw new Error(`CHANGELOG.md needs the line ${mark.trim()}`);
  const entry = [`## ${version}`, ...bumps.flatMap(sectionOf(changes))].join("\n\n");
  return changelog.replace(mark, () => `${mark}\n${entry}\n`);
}
