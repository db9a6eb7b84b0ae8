import { createSlots } from "@telex/core/transport";

/** Open subscriptions. */
interface Streams {
  /** Counts another one of a user. Returns the function that ends it, or null if there are too many. */
  readonly take: (userId: number) => (() => void) | null;
}

const most = { ofUser: 10, ofAll: 1000 };

/** Counts subscriptions, which hold a response open until their client ends it. */
export function createStreams(): Streams {
  const [byUser, all] = [createSlots(most.ofUser), createSlots(most.ofAll)];
  return {
    take(userId) {
      const [leave, end] = [byUser.take(userId), all.take("all")];
      const leaveBoth = (): void => {
        leave?.();
        end?.();
      };
      if (leave !== null && end !== null) return leaveBoth;
      leaveBoth();
      return null;
    },
  };
}
