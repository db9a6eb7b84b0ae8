/** Packet ids of the unacknowledged texts of one connection. No id is reused soon, so that a late PUBACK does not acknowledge another text. */
interface PacketIds {
  readonly next: (isUsed: (packetId: number) => boolean) => number;
}

const greatestId = 65_534;

/** The packet id of the token of a paired device. Texts do not use it. */
export const tokenPacketId = 65_535;

export function createPacketIds(): PacketIds {
  let last = 0;
  return {
    next(isUsed) {
      do last = last === greatestId ? 1 : last + 1;
      while (isUsed(last));
      return last;
    },
  };
}

/** The unacknowledged texts of a subscription. Their number is limited. */
export interface Window {
  /** Resolves with a packet id for a text when there is room; with null if the window is closed. */
  readonly enter: (textId: number) => Promise<number | null>;
  /** Frees a packet id, and returns the id of its text; null for an unknown one. */
  readonly leave: (packetId: number) => number | null;
  /** No text enters during a pause. */
  readonly pause: (isPaused: boolean) => void;
  readonly isPaused: () => boolean;
  /** Afterwards, no text enters. */
  readonly close: () => void;
  /** Resolves when the window is closed. */
  readonly closed: Promise<false>;
  readonly size: () => number;
}

/**
 * @param limit 1 to 65,533
 * @param others the number of unacknowledged packets that are not texts
 */
export function createWindow(limit: number, ids: PacketIds, others: () => number): Window {
  const texts = new Map<number, number>();
  const state = { isPaused: false, isClosed: false };
  const { promise: closed, resolve: noteClosed } = Promise.withResolvers<false>();
  let wake = (): void => {};
  const room = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
    });
  return {
    async enter(textId) {
      while (!state.isClosed && (state.isPaused || texts.size + others() >= limit)) await room();
      if (state.isClosed) return null;
      const packetId = ids.next((id) => texts.has(id));
      texts.set(packetId, textId);
      return packetId;
    },
    leave(packetId) {
      const textId = texts.get(packetId) ?? null;
      texts.delete(packetId);
      wake();
      return textId;
    },
    pause(paused) {
      state.isPaused = paused;
      wake();
    },
    isPaused: () => state.isPaused,
    close() {
      state.isClosed = true;
      noteClosed(false);
      wake();
    },
    closed,
    size: () => texts.size,
  };
}
