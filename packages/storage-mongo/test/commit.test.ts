import { MongoClient, MongoNetworkError, MongoServerError } from "mongodb";
import { expect, it, onTestFinished } from "vitest";
import { commit } from "../src/batches/commit.ts";
import { isInDoubt } from "../src/driver/errors.ts";
import { openNetwork } from "./support/proxy.ts";

const soon = () => ({ until: performance.now() + 10_000, deadline: performance.now() + 10_000 });
const never = (): Promise<never> => Promise.reject(new Error("The transaction is ended before its time."));

/** A session whose commits fail, one after another. */
const failing = (...errors: readonly Error[]) => {
  const rest = [...errors];
  return { commitTransaction: () => Promise.reject(rest.shift() ?? new Error("One attempt more than expected.")) };
};

const lost = new MongoNetworkError("The connection was lost.");
const refused = new MongoServerError({ message: "not authorized", code: 13 });
const aborted = new MongoServerError({ message: "no such transaction", errorLabels: ["TransientTransactionError"] });

it("a commit that is refused after its first answer was lost stays in doubt", async () => {
  await expect(commit(failing(lost, refused), soon(), never)).rejects.toMatchObject({
    code: "storage_unavailable",
    cause: refused,
  });
});

it("a commit that is refused, or aborted after its first answer was lost, was not made", async () => {
  await expect(commit(failing(refused), soon(), never)).rejects.toBe(refused);
  await expect(commit(failing(lost, aborted), soon(), never)).rejects.toBe(aborted);
});

it("a commit that is in doubt at its deadline is repeated only after its transaction was ended", async () => {
  const steps: string[] = [];
  const session = {
    commitTransaction: () => {
      steps.push("commit");
      return Promise.reject(steps.includes("end") ? aborted : lost);
    },
  };
  const end = () => Promise.resolve(steps.push("end"));
  const times = { until: performance.now() - 1, deadline: performance.now() + 10_000 };
  await expect(commit(session, times, end)).rejects.toBe(aborted);
  expect(steps).toEqual(["commit", "end", "commit"]);
});

it("a commit for which no connection was free is in doubt", async () => {
  const network = await openNetwork();
  const client = new MongoClient(network.url, { maxPoolSize: 1, waitQueueTimeoutMS: 500 });
  onTestFinished(() => client.close());
  const ping = () => client.db("admin").command({ ping: 1 });
  // A busy machine may need longer for the first connection.
  while (
    !(await ping().then(
      () => true,
      () => false,
    ))
  );
  network.hold();
  const held = ping().catch(() => undefined);
  const error: unknown = await ping().catch((reason: unknown) => reason);
  // The driver repeats a commit whose response was lost, and rejects with the error of the second attempt.
  expect(isInDoubt(error)).toBe(true);
  network.cut();
  await held;
});
