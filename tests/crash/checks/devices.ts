import type { DeviceMessageView } from "@telex/core";
import { teleprinterContract } from "@telex/core/contract";
import type { Life } from "../support/life.ts";
import { valueOf } from "../support/api.ts";
import { paths } from "../support/paths.ts";
import type { Check, Printer, World } from "../world.ts";

const page = teleprinterContract.messages.output;

/** Every device has exactly the owner that the server reported. */
export const checkRegistry: Check = async (world, life) => {
  const owners = new Map<string, string>();
  for (const who of ["alice", "bob"] as const) {
    const devices = valueOf(await life.apis[who].get(paths.devices, {}, teleprinterContract.devices.output), "devices");
    for (const { deviceId, name } of devices) {
      if (owners.has(deviceId)) world.problems.push(`register: ${deviceId} is listed twice`);
      owners.set(deviceId, `${who}:${name}`);
    }
  }
  for (const [deviceId, value] of world.registry) {
    const is = owners.get(deviceId) ?? "absent";
    const could = value.toString();
    if (!value.observe(is)) world.problems.push(`register: ${deviceId} is ${is}, and was ${could}`);
  }
  for (const { deviceId } of world.printers) {
    if (owners.get(deviceId) !== `alice:${deviceId}`)
      world.problems.push(`register: ${deviceId} is ${owners.get(deviceId)}`);
  }
};

/** The texts of a printer above an id, oldest first. */
async function listTexts(life: Life, deviceId: string, above: number): Promise<DeviceMessageView[]> {
  const texts: DeviceMessageView[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const fields: Record<string, string | number> = { deviceId, pageSize: 100, ...(cursor !== "" && { cursor }) };
    const { messages, nextPageCursor } = valueOf(await life.apis.alice.get(paths.messages, fields, page), "messages");
    texts.push(...messages.filter(({ id }) => id > above));
    cursor = messages.some(({ id }) => id <= above) ? null : nextPageCursor;
  }
  return texts.toReversed();
}

async function checkPrinter(world: World, life: Life, printer: Printer, full: boolean): Promise<void> {
  const { deviceId, mode, texts, deliveries } = printer;
  const all = await listTexts(life, deviceId, full ? 0 : texts.newest);
  const listed = all.map(({ id, content }) => ({ id, word: content }));
  world.problems.push(...texts.observe(listed.filter(({ id }) => id > texts.newest)));
  if (full) world.problems.push(...texts.compare(listed));
  const byAck = mode !== "poll" && mode !== "socket";
  for (const { id, direction, delivered } of all) {
    if (direction === "to_device") world.problems.push(...deliveries.observe(id, delivered === 1, byAck));
    else if (delivered !== 1) world.problems.push(`${texts.name}: ${id} came from the device, and is not delivered`);
  }
}

/** Every text is stored once. Delivered texts were received, and stay delivered. */
export const checkPrinters: Check = async (world, life, full) => {
  await Promise.all(world.printers.map((printer) => checkPrinter(world, life, printer, full)));
};

async function drain(world: World, life: Life, { deviceId, texts, deliveries }: Printer): Promise<void> {
  deliveries.restart();
  for (;;) {
    const fields = { deviceId, limit: 100 };
    const polled = valueOf(await life.apis.alice.get(paths.poll, fields, teleprinterContract.poll.output), "poll");
    for (const { id, content } of polled) {
      deliveries.acknowledging(id);
      world.problems.push(...texts.tell({ id, word: content }), ...deliveries.receive(id));
    }
    if (polled.length === 0) break;
  }
  const sent = [...texts.stored].filter(([, word]) => word.startsWith("send"));
  const never = sent.filter(([id]) => !deliveries.received.has(id));
  world.problems.push(...never.map(([id, word]) => `${deviceId}: ${id} "${word}" never came`));
}

/** At the end, all waiting texts arrive. */
export const drainPrinters: Check = async (world, life) => {
  await Promise.all(world.printers.map((printer) => drain(world, life, printer)));
};
