import { expect, it } from "vitest";
import { Deliveries } from "./deliveries.ts";

it("takes a message whose sender was told first that it is delivered, once", () => {
  const deliveries = new Deliveries("printer");
  deliveries.settle(1, "sender");
  expect(deliveries.receive(1)).toEqual([]);
  deliveries.restart();
  expect(deliveries.receive(1)).toEqual([
    "printer: 1 was delivered, and came again (0: delivered, the sender was told, 0: came, 1: came)",
  ]);
});

it("misses a message whose sender was told that it is delivered, and that never came", () => {
  const deliveries = new Deliveries("printer");
  deliveries.settle(1, "sender");
  expect(deliveries.observe(1, true, false)).toEqual([
    "printer: 1 is delivered, and never came (0: delivered, the sender was told, 0: delivered in the history)",
  ]);
});

it("sees a message that was delivered and waits again", () => {
  const deliveries = new Deliveries("printer");
  expect([...deliveries.receive(1), ...deliveries.observe(1, true, false)]).toEqual([]);
  deliveries.restart();
  expect(deliveries.observe(1, false, false)).toEqual([
    "printer: 1 was delivered, and waits again (0: came, 0: delivered in the history, 1: waits in the history)",
  ]);
});

it("sees a message that came twice on one connection, and takes it on the next one", () => {
  const deliveries = new Deliveries("printer");
  expect(deliveries.receive(1)).toEqual([]);
  expect(deliveries.receive(1)).toEqual([
    "printer: 1 came twice (0: came, 0: came)",
    "printer: 1 came after 1 (0: came, 0: came)",
  ]);
  deliveries.restart();
  expect(deliveries.receive(1)).toEqual([]);
  expect(deliveries.repeats).toBe(1);
});
