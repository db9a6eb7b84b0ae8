// Installs and builds the servers and foreign programs that the tests use. The first run of those tests does the same; `.ci/run` starts it
// early, in parallel with other tests.
import { installMongo } from "test-support/mongo";
import { installNats } from "test-support/nats";
import { installJudge } from "../tests/cluster/judge.ts";
import { setup } from "../tests/foreign/support/setup.ts";

await Promise.all([installMongo(), setup()]);
await Promise.all([installNats(), installJudge()]);
