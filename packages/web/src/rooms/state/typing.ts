import { type ReadonlySignal, signal } from "@preact/signals";

interface Typer {
  readonly groupId: number;
  readonly userId: string;
  readonly nickname: string;
}

/** The members who are typing in each room. */
export interface Typing {
  readonly typers: ReadonlySignal<readonly Typer[]>;
  /** A member is typing. */
  readonly start: (typer: Typer) => void;
  /** The message of a typing member has arrived. */
  readonly end: (typer: Pick<Typer, "groupId" | "userId">) => void;
  /** The person is typing. Other members are notified at most once every few seconds. */
  readonly announce: (groupId: number) => void;
}

/** A member counts as typing for this time after a notification, in milliseconds. */
const shown = 6000;
/** The server is notified of typing at most once in this time, in milliseconds. */
const pause = 3000;

const keyOf = ({ groupId, userId }: Pick<Typer, "groupId" | "userId">): string => `${groupId}/${userId}`;

/** @param send notifies the members of a room; failures are ignored */
export function createTyping(send: (groupId: number) => Promise<unknown>): Typing {
  const typers = signal<readonly Typer[]>([]);
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  let lastSent = 0;
  const end: Typing["end"] = (gone) => {
    clearTimeout(timers.get(keyOf(gone)));
    timers.delete(keyOf(gone));
    typers.value = typers.peek().filter((typer) => keyOf(typer) !== keyOf(gone));
  };
  const start = (typer: Typer): void => {
    end(typer);
    typers.value = [...typers.peek(), typer];
    timers.set(
      keyOf(typer),
      setTimeout(() => end(typer), shown),
    );
  };
  const announce = (groupId: number): void => {
    if (Date.now() - lastSent < pause) return;
    lastSent = Date.now();
    send(groupId).catch(() => {});
  };
  return { typers, start, end, announce };
}
