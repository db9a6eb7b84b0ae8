#!/usr/bin/env node
// Checked in as plain JavaScript so that the link in node_modules/.bin exists before the first build. Until the version is checked, it
// uses only features that an old Node has.

const needed = "22.23, 24.15 or 26.10, or a newer one of these";

if (Number(process.versions.node.split(".")[0]) < 22) {
  console.error(`telex needs Node ${needed}. This is Node ${process.versions.node}, at ${process.execPath}.`);
  process.exitCode = 1;
} else {
  if (process.argv.includes("serve")) {
    // Keeps the young generation at its initial 1 MiB: otherwise it grows to about 20 MiB while the program loads, and stays there. The
    // server lets it grow again when it listens.
    // Collects the old generation when it has grown by half: by default it may grow to four times the memory in use.
    // Other commands end soon or use little memory: for them, the flags cost CPU time and save nothing.
    const { setFlagsFromString } = require("node:v8");
    setFlagsFromString("--semi-space-growth-factor=1");
    setFlagsFromString("--heap-growing-percent=50");
  }
  // Without the cache, compiling takes half the time of a small command.
  require("node:module").enableCompileCache();
  require("../dist/main.cjs");
}
