import ReceiptPrinterEncoder from "@point-of-sale/receipt-printer-encoder";
import { expect, it, vi } from "vitest";
import { wrapText } from "./wrap.ts";

it("asks the encoder once about each character of a text, because that takes milliseconds", () => {
  const asked = vi.spyOn(ReceiptPrinterEncoder.prototype, "codepage");
  const lines = wrapText("жаж\nааж ".repeat(50), 32);
  expect(lines).toHaveLength(51);
  expect(asked).toHaveBeenCalledTimes(2);
});
