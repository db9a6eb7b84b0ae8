import type { SegmentInput } from "@telex/core";
import type { Server } from "../../server/server.ts";

export type { SegmentInput };

export type RoomsApi = Pick<Server, "rooms" | "messages">;

type Output<M extends (...given: never[]) => Promise<unknown>> = Awaited<ReturnType<M>>;

export type RoomView = Output<Server["rooms"]["find"]>;
/** A search result. */
export type Hit = Output<Server["messages"]["search"]>["list"][number];
/** Where a message matches: UTF-16 offsets within the text or file name of a segment. */
export type Match = Hit["matches"][number];
export type MemberView = Output<Server["rooms"]["members"]>["list"][number];
