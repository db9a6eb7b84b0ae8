#!/usr/bin/env node
// Checked in as plain JavaScript so that the link in node_modules/.bin exists before the first build. Nothing is imported
// statically: an old Node would stop at the first name that it does not have, and say nothing that helps.
/* oxlint-disable typescript/no-unsafe-call, typescript/no-unsafe-member-access, typescript/no-unsafe-assignment -- plain JavaScript, outside of every TypeScript project */

const needed = "22.23, 24.15 or 26.10, or a newer one of these";

if (Number(process.versions.node.split(".")[0]) < 22) {
  console.error(`telex needs Node ${needed}. This is Node ${process.versions.node}, at ${process.execPath}.`);
  process.exitCode = 1;
} else {
  const { enableCompileCache } = await import("node:module");
  // A tenth of the time of a small command is compiling.
  enableCompileCache();
  await import("../dist/main.js");
}
