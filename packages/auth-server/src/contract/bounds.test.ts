import { longestInput, type Operation } from "@telex/core/contract";
import { expect, test } from "vitest";
import { accountContract } from "./account.ts";
import { accountAdminContract } from "./admin.ts";
import { groupsContract } from "./groups.ts";
import { hooksContract } from "./hooks.ts";
import { roomMessagesContract } from "./messages.ts";
import { pushContract } from "./push.ts";

test.each([
  ["accounts", accountContract],
  ["admins", accountAdminContract],
  ["rooms", groupsContract],
  ["hooks", hooksContract],
  ["messages of rooms", roomMessagesContract],
  ["push messages", pushContract],
])("the operations of %s have a longest input", (_name, contract) => {
  const unbounded = Object.entries<Operation>(contract).filter(
    ([, operation]) => longestInput(operation) === Number.POSITIVE_INFINITY,
  );
  expect(unbounded).toEqual([]);
});
