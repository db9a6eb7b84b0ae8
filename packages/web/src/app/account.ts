import type { AccountClient } from "@telex/auth-server/client";
import { createRequiredContext } from "../base/required-context.ts";
import type { Shelf } from "../base/shelf.ts";
import type { LiveOptions, PageChannel } from "../server/live.ts";
import type { Server } from "../server/server.ts";
import type { Upload } from "../server/upload.ts";
import type { SignedIn } from "./kept-person.ts";

/** The person who is signed in, and their ways to the server. All pages of that person share it. */
export interface Account {
  readonly person: SignedIn["person"];
  readonly server: Server;
  readonly upload: Upload;
  /** The account, and those of others for admins; servers without accounts answer 404. */
  readonly accounts: AccountClient;
  /** Keeps texts that the person has written and not sent. */
  readonly shelf: Shelf;
  /** The address of the server's sockets, and the parameters of their first request. */
  readonly sockets: Pick<LiveOptions<PageChannel>, "url" | "token" | "language">;
  /** Called when the server refuses the token, or the cookie. */
  readonly ended: () => void;
}

const account = createRequiredContext<Account>("useAccount");

/** Gives {@link Account} to the components below. */
export const AccountContext = account.Context;

/** @throws TypeError if no account is signed in */
export const useAccount = account.use;
