import { expect, test } from "vitest";
import { labelled } from "./names.ts";

test("devices with the same name are labelled with their IDs, and others only with their names", () => {
  const devices = [
    { deviceId: "kitchen-1", name: "Kitchen" },
    { deviceId: "attic", name: "Attic" },
    { deviceId: "kitchen-2", name: "Kitchen" },
  ];
  expect(labelled(devices).map(({ label }) => label)).toEqual(["Kitchen (kitchen-1)", "Attic", "Kitchen (kitchen-2)"]);
});
