import { adminTasks } from "./admin.ts";
import { testEvery } from "./every.ts";

testEvery(adminTasks, "boss");
