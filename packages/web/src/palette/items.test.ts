import { expect, test } from "vitest";
import { type Item, matching } from "./items.ts";

const item = (name: string, pinyin = "", kind: Item["kind"] = "room"): Item => ({
  key: name,
  kind,
  name,
  pinyin,
  target: "",
});
const namesOf = (items: readonly Item[]) => items.map(({ name }) => name);

test("names that begin with the typed text come before names that contain it, and pinyin finds Chinese", () => {
  const items = [item("Back kitchen"), item("Kitchen"), item("茶馆", "cha2 guan3"), item("Garden")];
  expect(namesOf(matching(items, "kit"))).toEqual(["Kitchen", "Back kitchen"]);
  expect(namesOf(matching(items, "cg"))).toEqual(["茶馆"]);
  expect(namesOf(matching(items, ""))).toEqual(namesOf(items));
  expect(matching(items, "nothing like it")).toEqual([]);
});

test("items of one kind leave space for other kinds", () => {
  const rooms = Array.from({ length: 100 }, (_, number) => item(`Room ${number}`));
  expect(matching([...rooms, item("Roomba", "", "device")], "room").map(({ kind }) => kind)).toEqual([
    ...Array.from({ length: 8 }, () => "room"),
    "device",
  ]);
});
