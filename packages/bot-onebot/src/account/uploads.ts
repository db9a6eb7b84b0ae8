import type { Clock } from "@telex/core";
import type { NetworkRoom } from "../gateway-types.ts";
import type { MessageEvent } from "../wire/events.ts";

/** Milliseconds in which the echo of a file is expected. */
const echoTime = 60_000;

/**
 * Files that were sent and whose echo is still expected. OneBot 11 reports a file in a group by a notice, with an id that the
 * answer to the sender may not have: then only the name shows that both are the same file.
 */
export interface Uploads {
  /** @param id the new id of the file */
  expect(room: NetworkRoom, name: string, id: string): void;
  /**
   * The id of the oldest file with this name that is expected in the room, in a list of at most one. A file that the network reports twice,
   * by its message and by its notice, has the same id.
   */
  take(event: MessageEvent): readonly string[];
}

/** A file that was sent. */
interface Expected {
  readonly key: string;
  readonly id: string;
  /** Unix milliseconds. */
  readonly until: number;
  /** The ids under which the network reported it. */
  readonly echoes: Set<string>;
}

export function createUploads(clock: Clock): Uploads {
  let expected: Expected[] = [];
  const keyOf = ({ kind, ext }: NetworkRoom, name: string): string => JSON.stringify([kind, ext, name]);
  return {
    expect(room, name, id) {
      const now = clock.now();
      expected = expected.filter(({ until }) => until > now);
      expected.push({ key: keyOf(room, name), id, until: now + echoTime, echoes: new Set() });
    },
    take({ room, fileName, messageId, otherIds }) {
      if (fileName === null) return [];
      const ids = [messageId ?? [], otherIds].flat();
      const key = keyOf(room, fileName);
      const pending = expected.filter((one) => one.key === key && one.until > clock.now());
      const named = pending.find(({ echoes }) => ids.some((id) => echoes.has(id)));
      const match = named ?? pending.find(({ echoes }) => echoes.size === 0);
      for (const id of ids) match?.echoes.add(id);
      return match === undefined ? [] : [match.id];
    },
  };
}
