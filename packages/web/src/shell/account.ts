import { signal } from "@preact/signals";
import type { Account } from "../app/account.ts";
import type { SignedIn } from "../app/kept-person.ts";
import type { ChatSignal } from "../chat/context.ts";
import type { RoomsSignal } from "../rooms/state/context.ts";
import { connectAccounts } from "../server/accounts.ts";
import { connectServer, tokenOf } from "../server/server.ts";
import { connectUploads } from "../server/upload.ts";
import { connectTeleprinter, type ConnectedTeleprinter } from "../teleprinter/state/connect.ts";

/** An account with its connections. They close when the person signs out. */
export interface ConnectedAccount extends Account {
  readonly teleprinter: ConnectedTeleprinter;
  /** Its code is loaded when the page of conversations is first shown. */
  readonly chat: ChatSignal;
  /** Its code is loaded shortly after the page has opened. */
  readonly rooms: RoomsSignal;
  readonly close: () => void;
}

interface AccountOptions {
  readonly signedIn: SignedIn;
  readonly language: string;
  readonly window: Window;
  /** Called when the server rejects the token or the cookie. */
  readonly ended: () => void;
  /** Asks a person who is signed in by cookie to confirm. */
  readonly confirm: () => Promise<boolean>;
}

function createAccount({ signedIn, language, window, ended, confirm }: AccountOptions): Account {
  const { person, shelf } = signedIn;
  const { token } = person;
  const { origin } = window.location;
  const caller = { origin, token, language, ended, confirm };
  const sockets = { url: origin, ...tokenOf(caller), language };
  const server = connectServer(caller);
  return { person, shelf, sockets, ended, server, upload: connectUploads(caller), accounts: connectAccounts(caller) };
}

export function connectAccount(options: AccountOptions): ConnectedAccount {
  const account = createAccount(options);
  const teleprinter = connectTeleprinter(account, options.window);
  const chat: ChatSignal = signal(null);
  const rooms: RoomsSignal = signal(null);
  const close = (): void => {
    chat.peek()?.close();
    rooms.peek()?.close();
    teleprinter.close();
  };
  return { ...account, teleprinter, chat, rooms, close };
}
