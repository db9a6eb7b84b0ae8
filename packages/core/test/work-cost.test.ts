import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { costShare, cpuTimeOf } from "@telex/conformance";
import { type Caller, defaultLimits } from "../src/index.ts";
import { createKit, fileOf, type Kit } from "./kit.ts";

/** CPU time of one plain request that is called in process, in microseconds: everything here is a multiple of it. */
async function plainTime({ telex, alice }: Kit): Promise<number> {
  await telex.teleprinter.register(alice, { deviceId: "printer", name: "n" });
  const calls = 500;
  const time = await cpuTimeOf(async () => {
    for (let call = 0; call < calls; call += 1) await telex.teleprinter.heartbeat(alice, { deviceId: "printer" });
  }, 20);
  return time / calls;
}

/** A picture of as many pixels as are taken, in the form that costs most to decode for its bytes. */
const largestPicture = (): Promise<Buffer> =>
  sharp({ create: { width: 10_000, height: defaultLimits.imagePixels / 10_000, channels: 4, background: "#08f8" } })
    .png({ compressionLevel: 9 })
    .toBuffer();

const chinese = "行长重庆银行的音乐".repeat(2000).slice(0, defaultLimits.messageText);

const say = ({ telex, alice, room }: Kit, message: string) =>
  telex.messages.send(alice, { groupId: room, groupType: 1, message });

describe("what is done with a request has a budget of its own, in plain requests", () => {
  let kit: Kit;
  let plain = 0;
  beforeAll(async () => {
    kit = await createKit({ checkOutput: false });
    plain = await plainTime(kit);
  });
  /** How much of its budget the work takes, or that it is within. */
  const within = async (budget: number, run: () => Promise<unknown>): Promise<number | "within"> => {
    const share = await costShare(run, budget * plain);
    return share > 1 ? share : "within";
  };

  it("decoding: the text of the largest picture", async () => {
    const { file_id } = await kit.telex.bucket.upload(kit.alice, { file: fileOf(await largestPicture(), "a.png") });
    let col = 200;
    // Another width each time: what is cached costs nothing.
    expect(
      await within(500_000, () => kit.telex.images.imageText(kit.alice, { file_id, col: (col -= 1), algo: "border" })),
    ).toBe("within");
  });

  it("hashing: each MiB of an upload", async () => {
    const bytes = Buffer.alloc(1024 * 1024, "a");
    expect(await within(5000, () => kit.telex.bucket.upload(kit.alice, { file: fileOf(bytes) }))).toBe("within");
  });

  it("hashing: a token that nobody has", async () => {
    let number = 0;
    expect(await within(100, () => kit.telex.authenticate(`tlxp_${String((number += 1)).padStart(40, "0")}`))).toBe(
      "within",
    );
  });

  it("searching: the pinyin of the longest message", async () => {
    expect(await within(10_000, () => say(kit, chinese))).toBe("within");
  });

  it("reading: a page of the longest messages", async () => {
    for (let count = 0; count < 100; count += 1) await say(kit, chinese);
    const page = (caller: Caller) =>
      kit.telex.messages.history(caller, { groupId: kit.room, groupType: 1, pageSize: 100 });
    expect(await within(2000, () => page(kit.alice))).toBe("within");
  });
});
