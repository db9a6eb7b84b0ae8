import { accountTasks } from "./account.ts";
import { testEvery } from "./every.ts";

testEvery(accountTasks, "alice");
