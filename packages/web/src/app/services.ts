import type { LiveOptions, PageChannel } from "../server/live.ts";
import type { Upload } from "../server/upload.ts";
import type { Server } from "../server/server.ts";
import type { SignedIn } from "./session.ts";
import type { Shelf } from "../base/shelf.ts";
/** What the pages of a signed-in person share. */
export interface AccountServices {
  readonly person: SignedIn["person"];
  readonly server: Server;
  readonly upload: Upload;
  /** Where is kept what the person writes. */
  readonly shelf: Shelf;
  /** Where the sockets of the server are, and what they ask for. */
  readonly sockets: Pick<LiveOptions<PageChannel>, "url" | "token" | "language">;
  /** The token is not valid any more. */
  readonly ended: () => void;
}
