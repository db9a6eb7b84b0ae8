import { expect, test } from "vitest";
import { readRoute } from "./route.ts";

const read = (address: string) => readRoute(new URL(address, "http://localhost"));

test.each([
  ["/user/teleprinter/", { deviceId: null, dialog: null, code: "" }],
  ["/user/teleprinter", { deviceId: null, dialog: null, code: "" }],
  ["/user/teleprinter/device/kitchen-1", { deviceId: "kitchen-1", dialog: null, code: "" }],
  ["/user/teleprinter/device/a/", { deviceId: "a", dialog: null, code: "" }],
  ["/user/teleprinter/device/no%20id", { deviceId: null, dialog: null, code: "" }],
  ["/user/teleprinter/#pair", { deviceId: null, dialog: "pair", code: "" }],
  ["/user/teleprinter/#pair=bcdf-ghjk", { deviceId: null, dialog: "pair", code: "bcdf-ghjk" }],
  ["/user/teleprinter/#pair=<script>", { deviceId: null, dialog: null, code: "" }],
  ["/user/teleprinter/device/a#register", { deviceId: "a", dialog: "register", code: "" }],
])("%s is a place", (address, place) => {
  expect(read(address)).toEqual(place);
});
