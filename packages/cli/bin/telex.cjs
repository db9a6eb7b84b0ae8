#!/usr/bin/env node
// Checked in as plain JavaScript so that the link in node_modules/.bin exists before the first build. Nothing that an old Node does
// not have is used before its version is checked.

const needed = "22.23, 24.15 or 26.10, or a newer one of these";

if (Number(process.versions.node.split(".")[0]) < 22) {
  console.error(`telex needs Node ${needed}. This is Node ${process.versions.node}, at ${process.execPath}.`);
  process.exitCode = 1;
} else {
  if (process.argv.includes("serve")) {
    // The young generation stays at its first size of 1 MiB: otherwise loading the program lets it grow to some 20, which it keeps. A
    // server lets it grow again when it listens.
    // The old one is collected when it has grown by half: by default it grows to four times of what is in use.
    // Other commands end soon, or have little in memory: for them, the flags cost CPU time and save nothing.
    const { setFlagsFromString } = require("node:v8");
    setFlagsFromString("--semi-space-growth-factor=1");
    setFlagsFromString("--heap-growing-percent=50");
  }
  // Half of the time of a small command would be compiling.
  require("node:module").enableCompileCache();
  require("../dist/main.cjs");
}
