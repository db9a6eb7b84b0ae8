#!/usr/bin/env node
// Checked in, so that the link in node_modules/.bin exists before the first build. Nothing that an old Node does not have is used here.
if (Number(process.versions.node.split(".")[0]) < 22) {
  console.error(
    `create-telex needs Node 22.23, 24.15 or 26.10, or a newer one of these. This is Node ${process.versions.node}.`,
  );
  process.exitCode = 1;
} else {
  await import("../dist/main.js");
}
