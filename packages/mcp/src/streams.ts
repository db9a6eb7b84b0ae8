/** Open subscriptions. */
interface Streams {
  /** Counts another one of a user. Returns the function that ends it, or null if there are too many. */
  readonly take: (userId: number) => (() => void) | null;
}

const most = { ofUser: 10, ofAll: 1000 };

/** Counts subscriptions, which hold a response open for as long as their client likes. */
export function createStreams(): Streams {
  const byUser = new Map<number, number>();
  let all = 0;
  return {
    take(userId) {
      const count = byUser.get(userId) ?? 0;
      if (count >= most.ofUser || all >= most.ofAll) return null;
      byUser.set(userId, count + 1);
      all += 1;
      let isOpen = true;
      return () => {
        if (!isOpen) return;
        isOpen = false;
        all -= 1;
        const left = (byUser.get(userId) ?? 1) - 1;
        if (left === 0) byUser.delete(userId);
        else byUser.set(userId, left);
      };
    },
  };
}
