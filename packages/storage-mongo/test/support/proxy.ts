import { type Network, openNetwork as open } from "test-support/network";
import { onTestFinished } from "vitest";
import { newDatabase } from "./database.ts";

/** A proxied network that lasts as long as the test, with the address of a new database behind it. */
export async function openNetwork(): Promise<Network & { readonly url: string }> {
  const database = new URL(newDatabase());
  const network = await open(Number(database.port));
  onTestFinished(network.close);
  // Without `directConnection`, the driver would use the address that the database reports.
  return { ...network, url: `mongodb://127.0.0.1:${network.port}${database.pathname}?directConnection=true` };
}
