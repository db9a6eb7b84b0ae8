import type { GroupView } from "@telex/core";
import { useApp } from "../app/context.ts";
import { adminPath } from "../app/route.ts";
import { useOperator } from "./parts/context.ts";
import { type FormEntries, givenOf, optionsOf, type Read } from "../ui/actions/form.tsx";
import { DialogForm, Opens } from "../ui/actions/dialog-form.tsx";
import { ListHead, PagedList } from "./parts/list.tsx";
import { usePages } from "./parts/pages.ts";
import { SubjectRow } from "./subject.tsx";
import { useAdminTexts } from "./texts/texts.ts";
import type { AdminTexts } from "./texts/type.ts";

const pageSize = 200;

type RoomEntry = "name" | "groupType" | "ext" | "bot";
const types = [1, 2, 0, 3, 4, 5] as const;

const roomEntries = ({ rooms }: AdminTexts): FormEntries<RoomEntry> => ({
  name: { label: rooms.name, input: { maxlength: 128 } },
  groupType: { kind: "select", label: rooms.type, options: optionsOf(types, rooms.types) },
  ext: { label: rooms.ext, hint: rooms.extHint, optional: true, input: { maxlength: 128 } },
  bot: { label: rooms.bot, hint: rooms.botHint, optional: true, input: { maxlength: 128 } },
});

/** Distinguishes a room from others with the same name. */
export const aboutRoom = ({ groupId, groupType, ext, bot }: GroupView, texts: AdminTexts): string =>
  [texts.number(groupId), texts.rooms.types[groupType], ...[ext, bot].filter((word) => word !== null)].join(" · ");

function AddRoom({ onClose }: { readonly onClose: () => void }) {
  const { groups } = useOperator();
  const { router } = useApp();
  const texts = useAdminTexts();
  const add = async (read: Read<RoomEntry>): Promise<string> => {
    const groupType = types.find((type) => String(type) === read("groupType")) ?? 1;
    const added = await groups.add({ name: read("name").trim(), groupType, ...givenOf(read, ["ext", "bot"]) });
    router.go(adminPath("rooms", added.groupId));
    return texts.rooms.added(added.name);
  };
  const form = { title: texts.rooms.add, submit: texts.rooms.add, onSubmit: add, onClose };
  return <DialogForm entries={roomEntries(texts)} initial={{ groupType: "1" }} {...form} />;
}

function RoomRow({ room }: { readonly room: GroupView }) {
  const texts = useAdminTexts();
  const { groupId: id, name, avatar } = room;
  const about = aboutRoom(room, texts);
  return <SubjectRow {...{ id, avatar, name, about }} kind="group" href={adminPath("rooms", id)} />;
}

const wordsOfRoom = ({ groupId, name, ext, bot }: GroupView): string => [groupId, name, ext, bot].join(" ");

/** All rooms, and a form to add one. */
export function RoomList() {
  const { groups } = useOperator();
  const texts = useAdminTexts();
  const pages = usePages(groups.list, pageSize, ({ groupId }: GroupView) => groupId);
  const list = { pages, wordsOf: wordsOfRoom, label: texts.sections.rooms };
  return (
    <section>
      <ListHead title={texts.sections.rooms}>
        <Opens label={texts.rooms.add} look="primary">
          {(close) => <AddRoom onClose={close} />}
        </Opens>
      </ListHead>
      <PagedList {...list} row={(room) => <RoomRow key={room.groupId} room={room} />} />
    </section>
  );
}
