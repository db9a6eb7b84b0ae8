import { randomBytes } from "node:crypto";

/**
 * Makes words that name holders of messages: no two are the same, on any server. Random bytes for each of them would be a
 * fourteenth of an empty poll.
 */
export function createHolders(): () => string {
  const server = randomBytes(12).toString("hex");
  let count = 0;
  return () => {
    count += 1;
    return `${server}-${count}`;
  };
}
