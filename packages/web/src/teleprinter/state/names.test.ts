import { expect, test } from "vitest";
import { labelled } from "./names.ts";

test("devices of one name are told apart by their ID, and the others are called by their name alone", () => {
  const devices = [
    { deviceId: "kitchen-1", name: "Kitchen" },
    { deviceId: "attic", name: "Attic" },
    { deviceId: "kitchen-2", name: "Kitchen" },
  ];
  expect(labelled(devices).map(({ label }) => label)).toEqual(["Kitchen (kitchen-1)", "Attic", "Kitchen (kitchen-2)"]);
});
