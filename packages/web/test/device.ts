import { operator } from "@telex/core";
import { createClient } from "@telex/http/client";
import type { TestServer } from "./server.ts";

/** A device that uses the server over HTTP, with a token for this device only. */
export interface TestDevice {
  /** Takes all waiting texts. */
  take(): Promise<string[]>;
  print(content: string): Promise<void>;
  leave(): Promise<void>;
  /** Reports its properties. */
  say(report: { readonly can: string[] }): Promise<void>;
}

/** Registers a device, by default one of the server's user. */
export async function useDevice(
  server: TestServer,
  deviceId: string,
  name: string,
  userId = server.userId,
): Promise<TestDevice> {
  const scopes = [`device:${deviceId}`];
  const { token } = await server.telex.operator.tokens.issue(operator, { userId, scopes });
  const { teleprinter } = createClient({ url: server.url, token });
  await teleprinter.register({ deviceId, name });
  return {
    async take() {
      const messages = await teleprinter.poll({ deviceId, limit: 100 });
      return messages.map(({ content }) => content);
    },
    async print(content) {
      await teleprinter.sync({ deviceId, content });
    },
    async say(report) {
      await teleprinter.heartbeat({ deviceId, ...report });
    },
    async leave() {
      await teleprinter.offline({ deviceId });
    },
  };
}
