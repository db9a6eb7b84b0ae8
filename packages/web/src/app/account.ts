import type { AccountClient } from "@telex/auth-server/client";
import { createRequiredContext } from "../base/required-context.ts";
import type { Shelf } from "../base/shelf.ts";
import type { LiveOptions, PageChannel } from "../server/live.ts";
import type { Server } from "../server/server.ts";
import type { Upload } from "../server/upload.ts";
import type { SignedIn } from "./kept-person.ts";

/** The signed-in person, and the clients of the server. All pages of that person share it. */
export interface Account {
  readonly person: SignedIn["person"];
  readonly server: Server;
  readonly upload: Upload;
  /** The person's account, and other accounts for admins. Servers without accounts answer 404. */
  readonly accounts: AccountClient;
  /** Stores texts that the person has written but not sent. */
  readonly shelf: Shelf;
  /** The URL of the server's sockets, and the parameters of their first request. */
  readonly sockets: Pick<LiveOptions<PageChannel>, "url" | "token" | "language">;
  /** Called when the server rejects the token or the cookie. */
  readonly ended: () => void;
}

const account = createRequiredContext<Account>("useAccount");

/** Provides {@link Account} to the components below. */
export const AccountContext = account.Context;

/** @throws TypeError if no account is signed in */
export const useAccount = account.use;
