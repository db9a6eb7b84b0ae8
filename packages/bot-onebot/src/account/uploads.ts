import type { Clock } from "@telex/core";
import type { NetworkRoom } from "../gateway-types.ts";
import type { MessageEvent } from "../wire/events.ts";

/** Milliseconds in which the echo of a file is expected. */
const echoTime = 60_000;

/**
 * Files that were sent and whose echo is still expected. OneBot 11 tells a file in a group by a notice, with an id that the
 * answer to the sender may not have: then only the name says that both are one.
 */
export interface Uploads {
  /** @param id by what the file is known from now on */
  expect(room: NetworkRoom, name: string, id: string): void;
  /** The id of the oldest file with this name that is expected in the room: none, or one. */
  take(event: MessageEvent): readonly string[];
}

export function createUploads(clock: Clock): Uploads {
  let expected: { readonly key: string; readonly id: string; readonly until: number }[] = [];
  const keyOf = ({ kind, ext }: NetworkRoom, name: string): string => JSON.stringify([kind, ext, name]);
  return {
    expect(room, name, id) {
      const now = clock.now();
      expected = expected.filter(({ until }) => until > now);
      expected.push({ key: keyOf(room, name), id, until: now + echoTime });
    },
    take({ room, fileName }) {
      const key = fileName === null ? null : keyOf(room, fileName);
      const found = expected.find((one) => one.key === key && one.until > clock.now());
      expected = expected.filter((one) => one !== found);
      return found === undefined ? [] : [found.id];
    },
  };
}
