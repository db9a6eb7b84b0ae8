// Installs and builds what the tests on NATS and MongoDB and the foreign programs need, as the first of their runs does: `.ci/run` starts
// it beside other tests.
import { installMongo } from "test-support/mongo";
import { installNats } from "test-support/nats";
import { setup } from "../foreign/support/setup.ts";

await Promise.all([installMongo(), setup()]);
await installNats();
