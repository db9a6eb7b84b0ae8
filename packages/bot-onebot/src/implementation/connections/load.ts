import { dataIn } from "./data-in.ts";
import { createBudget } from "../../link/budget.ts";

/** Bytes of memory for each byte of JSON that is not base64: `{"31":0}` takes 37 and `{}` 21, with the comma after them. */
const memoryShare = 40;
/** Bytes of memory that the actions in progress of one user, and those of all users, may hold. */
const most = { user: 128 * 2 ** 20, all: 256 * 2 ** 20 } as const;

/** A frame or body that is not parsed yet. */
export interface Weighed {
  readonly text: string;
  /** Bytes of the text. */
  readonly size: number;
  /** Bytes of the text without its base64. */
  readonly beside: number;
  /** Maximum bytes of memory that the text and its value take. */
  readonly weight: number;
}

/** Computes the weight of a text without parsing it. */
export function weigh(text: string): Weighed {
  const size = Buffer.byteLength(text);
  const beside = size - dataIn(text);
  return { text, size, beside, weight: size + memoryShare * beside };
}

/** The memory that the actions in progress hold. */
export interface Load {
  /** True if these bytes would exceed the bound of the user, or of all users together. */
  isFull(userId: number, weight: number): boolean;
  /** Counts the bytes that an action holds until the returned function is called. Call it once. */
  hold(userId: number, weight: number): () => void;
}

function add(users: Map<number, number>, userId: number, weight: number): void {
  const held = (users.get(userId) ?? 0) + weight;
  if (held > 0) users.set(userId, held);
  else users.delete(userId);
}

export function createLoad(): Load {
  const all = createBudget(most.all);
  const users = new Map<number, number>();
  return {
    isFull: (userId, weight) => (users.get(userId) ?? 0) + weight > most.user || all.isUsedUp,
    hold(userId, weight) {
      add(users, userId, weight);
      all.take(weight);
      return () => {
        add(users, userId, -weight);
        all.give(weight);
      };
    },
  };
}
