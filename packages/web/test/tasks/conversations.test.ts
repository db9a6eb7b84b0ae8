import { conversationTasks } from "./conversations.ts";
import { testEvery } from "./every.ts";

testEvery(conversationTasks, "alice");
