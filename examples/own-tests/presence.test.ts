import { createMemoryBlobs } from "@telex/blobs/memory";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createManualClock, createScene } from "@telex/conformance/testing";
import { createMemoryStorage } from "@telex/storage-memory";
import { expect, it, onTestFinished } from "vitest";

it("shows a device as offline when it has been silent for 90 seconds", async () => {
  const clock = createManualClock();
  const scene = await createScene({
    storage: createMemoryStorage({ clock }),
    blobs: createMemoryBlobs({ clock }),
    images: createSharpEngine(),
    clock,
  });
  onTestFinished(() => scene.telex.close());
  const { teleprinter } = scene.telex;
  const alice = await scene.caller(await scene.person("Alice"));

  await teleprinter.register(alice, { deviceId: "hall", name: "Hall" });
  expect(await teleprinter.devices(alice, {})).toMatchObject([{ deviceId: "hall", online: true }]);

  await clock.advance(90_001);
  expect(await teleprinter.devices(alice, {})).toMatchObject([{ deviceId: "hall", online: false }]);
  expect(scene.log.lines).toEqual([]);
});
