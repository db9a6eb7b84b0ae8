import { deviceTasks } from "./devices.ts";
import { testEvery } from "./every.ts";

testEvery(deviceTasks, "alice");
