import { defineConfig } from "vitest/config";

const packages = ["core", "blobs", "storage-memory", "storage-sqlite", "http", "ws", "cli"];
const folders = ["examples", "docs", "scripts"];

const project = (name: string, root: string) => ({
  extends: true as const,
  root,
  test: { name, include: ["**/*.test.ts"], exclude: ["**/node_modules/**", "**/dist/**"] },
});

export default defineConfig({
  // Workspace packages are tested from their sources; workers get the condition from here.
  ssr: { resolve: { conditions: ["telex-source"] } },
  test: {
    environment: "node",
    passWithNoTests: true,
    coverage: { include: ["packages/*/src/**/*.ts", "packages/core/conformance/**/*.ts"] },
    projects: [
      ...packages.map((name) => project(name, `packages/${name}`)),
      ...folders.map((name) => project(name, name)),
    ],
  },
});
