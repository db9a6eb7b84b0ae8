import { type Operation, teleprinterContract } from "@telex/core/contract";
import { parseJson } from "@telex/core/transport";
import { costBudget, costShare, cpuTimeOf, expensiveInputs } from "@telex/conformance";
import { expect, it } from "vitest";
import { channels } from "../src/channels/channels.ts";
import { open, startTelex } from "./harness.ts";

const plain = '{"deviceId":"kitchen-printer","content":"The kettle is on."}';

/** Microseconds of CPU for each byte of a plain request that is read and checked, without the other costs of a frame. */
async function plainTime(): Promise<number> {
  const calls = 2000;
  const time = await cpuTimeOf(() => {
    for (let call = 0; call < calls; call += 1) teleprinterContract.send.input.parse(parseJson(plain));
  }, 20);
  return time / calls / plain.length;
}

const most = 32 * 1024;
/** Below this size the constant share of a frame is larger than that of its bytes. */
const least = 4 * 1024;

/** Numbers as identifiers cost most: they are returned digit for digit. Because of the missing field, the command is not executed. */
const frameOf = (command: string, text: string): string => `{"identifier":1.0,"command":"${command}",${text.slice(1)}`;

it.each(channels)(
  "a frame on $path costs no more than 20 times as much as plain ones, byte for byte, whatever it holds",
  async (channel) => {
    const { port, user, telex } = await startTelex();
    const { token } = await user("Alice");
    const caller = await telex.authenticate(token);
    await telex.teleprinter.register(caller, { deviceId: "kitchen-printer", name: "n" });
    const client = await open(`ws://127.0.0.1:${port}${channel.path}/${token}?deviceId=kitchen-printer`);
    expect(channel.commands.length).toBeGreaterThan(0);

    const send = async (text: string): Promise<void> => {
      client.send(text);
      while ((await client.next()).identifier !== 1);
    };
    const perByte = await plainTime();
    for (const { name: command, input, output, summary } of channel.commands) {
      const operation: Operation = { access: "none", errors: [], input, output, summary };
      const bare = await cpuTimeOf(() => send(frameOf(command, '{"x":0}')), 10);
      for (const { name, text } of expensiveInputs(operation, most)) {
        const frame = frameOf(command, text);
        if (frame.length < least) continue;
        const share = await costShare(() => send(frame), bare + costBudget(frame.length, perByte));
        expect([command, name, share > 1 ? share : "below 1"]).toEqual([command, name, "below 1"]);
      }
    }
  },
);
