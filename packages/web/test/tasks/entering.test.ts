import { enteringTasks } from "./entering.ts";
import { testEvery } from "./every.ts";

testEvery(enteringTasks, null);
