import { openChannel } from "@telex/ws/client";
import { expect, it } from "vitest";
import { channels } from "../src/channels/channels.ts";
import { open, startTelex } from "./harness.ts";

const isChinese = (text: unknown): boolean => /[一-龥]/.test(String(text));

it.each(channels)(
  "a failure on $path is in the language of the caller, and in Chinese if there is none",
  async ({ path }) => {
    const { port, user } = await startTelex();
    const { token } = await user("Alice");
    const place = `ws://127.0.0.1:${port}${path}/${token}`;
    const say = async (search: string, headers: Record<string, string>): Promise<boolean> => {
      const client = await open(`${place}${search}`, [], headers);
      client.send('{"identifier":1,"command":"none"}');
      return isChinese((await client.next()).msg);
    };
    expect(await say("", {})).toBe(true);
    expect(await say("", { "accept-language": "en" })).toBe(false);
    expect(await say("?lang=en", {})).toBe(false);
    expect(await say("?lang=zh", { "accept-language": "en" })).toBe(true);
  },
);

it("the client sends the language that it is given", async () => {
  const { port, user } = await startTelex();
  const { token } = await user("Alice");
  const rooms = await openChannel({ url: `http://127.0.0.1:${port}`, token, channel: "rooms", language: "en" });
  const refused = rooms.call("sendGroupMessage", { groupId: 99, groupType: 1, message: "x" });
  await expect(refused).rejects.toThrow(/^[A-Z]/);
  rooms.close();
});
