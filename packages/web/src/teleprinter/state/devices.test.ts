import type { DeviceView } from "@telex/core";
import { expect, test } from "vitest";
import { createDevices } from "./devices.ts";

const device = (deviceId: string, fields: Partial<DeviceView> = {}): DeviceView => ({
  deviceId,
  name: deviceId,
  online: true,
  lastSeen: "2026-11-20T08:15:30.123+00:00",
  createdAt: "2026-11-20T08:15:30.123+00:00",
  ...fields,
});

function setup(given: DeviceView[] = []) {
  const calls: string[] = [];
  const answers: ((devices: DeviceView[]) => void)[] = [];
  const devices = createDevices({
    devices: () => new Promise<DeviceView[]>((resolve) => answers.push(resolve)),
    register: ({ deviceId, name }) => {
      calls.push(`register ${deviceId}`);
      return Promise.resolve(device(deviceId, { name }));
    },
    rename: ({ deviceId, name = deviceId }) => {
      calls.push(`rename ${deviceId}`);
      return Promise.resolve(device(deviceId, { name, online: deviceId !== "away" }));
    },
    offline: ({ deviceId }) => {
      calls.push(`offline ${deviceId}`);
      return Promise.resolve(device(deviceId, { online: false }));
    },
    unregister: ({ deviceId }) => {
      calls.push(`unregister ${deviceId}`);
      return Promise.resolve(null);
    },
  });
  const load = async (): Promise<void> => {
    const loading = devices.load();
    answers.shift()?.(given);
    await loading;
  };
  const names = (): readonly string[] | undefined => devices.list.value?.map(({ name }) => name);
  return { devices, answers, calls, load, names };
}

test("online devices are first, then by name in natural order", async () => {
  const away = { online: false };
  const { devices, load, names } = setup([device("p-10"), device("attic", away), device("p-9"), device("Barn")]);
  await load();
  expect(names()).toEqual(["Barn", "p-9", "p-10", "attic"]);
  devices.receive(device("p-9", away));
  expect(names()).toEqual(["Barn", "p-10", "attic", "p-9"]);
  devices.receive(device("attic"));
  expect(names()).toEqual(["attic", "Barn", "p-10", "p-9"]);
  devices.receive(device("attic", { name: "Zoo" }));
  expect(names()).toEqual(["Barn", "p-10", "Zoo", "p-9"]);
  devices.receive(device("new", away));
  expect(names()).toEqual(["Barn", "p-10", "Zoo", "new", "p-9"]);
});

test("a device that is seen again keeps its position", async () => {
  const { devices, load, names } = setup([device("a"), device("b")]);
  await load();
  devices.receive(device("a", { lastSeen: "2026-11-21T08:15:30.123+00:00" }));
  expect(names()).toEqual(["a", "b"]);
  expect(devices.find("a")?.lastSeen).toBe("2026-11-21T08:15:30.123+00:00");
});

test("events that arrive while the list is fetched are newer than the list", async () => {
  const { devices, answers } = setup();
  const loading = devices.load();
  devices.receive(device("a", { online: false }));
  devices.receive(device("new"));
  answers.shift()?.([device("a", { online: true }), device("b")]);
  await loading;
  expect(devices.list.value?.map(({ deviceId, online }) => `${deviceId} ${online}`)).toEqual([
    "b true",
    "new true",
    "a false",
  ]);
});

test("if two lists are fetched simultaneously, the later one is used", async () => {
  const { devices, answers, names } = setup();
  const both = [devices.load(), devices.load()];
  answers[1]?.([device("late")]);
  await both[1];
  answers[0]?.([device("early")]);
  await both[0];
  expect(names()).toEqual(["late"]);
});

test("renaming a device does not mark it as online", async () => {
  const { devices, load, calls } = setup([device("here"), device("away", { online: false })]);
  await load();
  await devices.rename("here", "Here");
  await devices.rename("away", "Away");
  expect(calls).toEqual(["rename here", "rename away"]);
});

test("a device that is unregistered leaves the list", async () => {
  const { devices, load, calls, names } = setup([device("a"), device("b")]);
  await load();
  await devices.unregister("a");
  expect(calls).toEqual(["unregister a"]);
  expect(names()).toEqual(["b"]);
});
