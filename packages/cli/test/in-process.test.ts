import { folder } from "test-support/command";
import { at, parse } from "test-support/json";
import { expect, it } from "vitest";
import { telexHere } from "./in-process.ts";

it("a warning of the process of the tests is not an output of the command that runs in it", async () => {
  const running = telexHere(["user", "list", "--data", await folder(), "--json"]);
  process.emitWarning("too many listeners");
  expect(at(parse((await running).stderr), "error")).toBe("storage_missing");
});
