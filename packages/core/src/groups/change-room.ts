import { TelexError } from "@telex/ground/errors";
import type { Room } from "../records/groups.ts";
import type { GroupStore, RoomChange } from "./store.ts";

/** The change of a room that was found; null for none. */
type FoundChange = Pick<RoomChange, "change" | "put" | "drop"> | null;

/** Maximum attempts to change a room. Of simultaneous callers, one succeeds in each round. */
const mostRounds = 100;

/**
 * Changes a room in the way that `decide` decides about it as it is when it is changed. `decide` is called again if another caller was faster.
 * Resolves with the outcome; `same` if there was nothing to change.
 * @throws TelexError `busy`, and what `decide` throws
 */
export async function changeFoundRoom(
  groups: Pick<GroupStore, "findRoom" | "amendRoom">,
  groupId: number,
  decide: (room: Room) => FoundChange | Promise<FoundChange>,
): Promise<"amended" | "dropped" | "missing" | "same"> {
  for (let round = 0; round < mostRounds; round += 1) {
    const room = await groups.findRoom(groupId);
    if (room === null) return "missing";
    const decision = await decide(room);
    if (decision === null) return "same";
    const { change, put, drop } = decision;
    const { outcome } = await groups.amendRoom({ groupId, rev: room.group.rev, change, put, drop });
    if (outcome !== "changed") return outcome;
  }
  throw new TelexError("busy");
}
