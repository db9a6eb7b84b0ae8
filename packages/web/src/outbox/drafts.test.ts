import { expect, test } from "vitest";
import { createShelf } from "../base/shelf.ts";
import { createMemoryKeeper } from "../../test/keeper.ts";
import { createDrafts } from "./drafts.ts";

test("each device has its own draft, which survives a reload", () => {
  const shelf = createShelf(createMemoryKeeper(), "draft.");
  const drafts = createDrafts(shelf);
  drafts.of("kitchen").value = "half a thou";
  drafts.of("attic").value = "";
  const next = createDrafts(shelf);
  expect([...next.devices.value]).toEqual(["kitchen"]);
  expect([next.of("kitchen").value, next.of("attic").value]).toEqual(["half a thou", ""]);
});

test("an empty draft does not count as a draft", () => {
  const shelf = createShelf(createMemoryKeeper(), "draft.");
  const drafts = createDrafts(shelf);
  drafts.of("kitchen").value = "a";
  expect([...drafts.devices.value]).toEqual(["kitchen"]);
  drafts.of("kitchen").value = "";
  expect([...drafts.devices.value, ...shelf.names()]).toEqual([]);
});
