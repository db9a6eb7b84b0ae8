import { roomTasks } from "./rooms.ts";
import { testEvery } from "./every.ts";

testEvery(roomTasks, "alice");
