#!/usr/bin/env node
// Checked in as plain JavaScript so that the link in node_modules/.bin exists before the first build.
import "../dist/main.js";
