import type { Wire } from "../live/socket.ts";

/** What a reply is set to for as long as the connection lasts; null leaves it to the server. */
export interface Setting {
  readonly model: string | null;
  readonly systemPrompt: string | null;
  readonly maxOutputTokens: number | null;
}

/** The commands of the chat socket. */
export interface Line {
  /** The connection of which the commands go out from now on. */
  readonly use: (wire: Wire) => Wire;
  readonly chat: (identifier: string, question: { conversationId: number | null; content: string }) => void;
  /** Stops the reply of a conversation; all that are under way where it is null. */
  readonly stop: (conversationId: number | null) => void;
  /** Resolves when the server has taken it; to the reason where it has not. */
  readonly set: (setting: Setting) => Promise<string | null>;
  /** Takes the answer to a command of this module. True when it was one. */
  readonly receive: (identifier: unknown, refusal: string | null) => boolean;
  /** The connection is gone, and with it the answers. */
  readonly lose: () => void;
}

/** No connection yet. */
export function createLine(): Line {
  let wire: Wire | null = null;
  let count = 0;
  const waiting = new Map<unknown, (refusal: string | null) => void>();
  const send = (identifier: string, command: string, fields: object): void =>
    wire?.send(JSON.stringify({ ...fields, identifier, command }));
  return {
    use(next) {
      wire = next;
      return next;
    },
    chat: (identifier, { conversationId, content }) =>
      send(identifier, "chat", { ...(conversationId === null ? {} : { conversationId }), content }),
    stop: (conversationId) => send("stop", "stop", conversationId === null ? {} : { conversationId }),
    set(setting) {
      count += 1;
      const identifier = `setting-${count}`;
      return new Promise((resolve) => {
        waiting.set(identifier, resolve);
        send(identifier, "setting", setting);
      });
    },
    receive(identifier, refusal) {
      const resolve = waiting.get(identifier);
      waiting.delete(identifier);
      resolve?.(refusal);
      return resolve !== undefined;
    },
    lose() {
      wire = null;
      for (const resolve of waiting.values()) resolve(null);
      waiting.clear();
    },
  };
}
