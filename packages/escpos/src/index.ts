export { encodeReceipt } from "./receipt/encode.ts";
export type { EncodeOptions, Receipt } from "./receipt/encode.ts";
export { papers } from "./receipt/paper.ts";
export type { Paper, PaperWidth } from "./receipt/paper.ts";
export type { Draw, Picture } from "./receipt/picture.ts";
export { createPrinter } from "./printer/printer.ts";
export type { Printer, PrinterOptions, PrintWork } from "./printer/printer.ts";
export type { PrinterLink, PrinterPort } from "./printer/port.ts";
export { openPort } from "./printer/open-port.ts";
