import type { GroupView } from "@telex/core";
import { useMemo } from "preact/hooks";
import { useApp } from "../context.ts";
import { adminPath } from "../route.ts";
import { useOperator } from "./context.ts";
import { DialogForm, type FormEntry, Opens, textOr } from "./form.tsx";
import { ListHead, PagedList } from "./list.tsx";
import { createPages } from "./pages.ts";
import { Portrait } from "./portrait.tsx";
import { type AdminTexts, useAdminTexts } from "./texts.ts";

const pageSize = 200;

type RoomEntry = "name" | "type" | "ext" | "bot";
const types = [1, 2, 0, 3, 4, 5] as const;

const roomEntries = ({ rooms }: AdminTexts): readonly FormEntry<RoomEntry>[] => [
  { kind: "text", name: "name", label: rooms.name, input: { maxlength: 128 } },
  { kind: "select", name: "type", label: rooms.type, options: types.map((type) => [String(type), rooms.types[type]]) },
  { kind: "text", name: "ext", label: rooms.ext, hint: rooms.extHint, optional: true, input: { maxlength: 128 } },
  { kind: "text", name: "bot", label: rooms.bot, hint: rooms.botHint, optional: true, input: { maxlength: 128 } },
];

/** What distinguishes a room from others with the same name. */
export const aboutRoom = ({ groupId, groupType, ext, bot }: GroupView, texts: AdminTexts): string =>
  [texts.number(groupId), texts.rooms.types[groupType], ...[ext, bot].filter((word) => word !== null)].join(" · ");

function AddRoom({ onClose }: { readonly onClose: () => void }) {
  const { groups } = useOperator();
  const { notices, router } = useApp();
  const texts = useAdminTexts();
  const add = async (read: (name: RoomEntry) => string): Promise<void> => {
    const [ext, bot] = [textOr(read("ext"), null), textOr(read("bot"), null)];
    const groupType = types.find((type) => String(type) === read("type")) ?? 1;
    const given = { ...(ext !== null && { ext }), ...(bot !== null && { bot }) };
    const added = await groups.add({ name: read("name").trim(), groupType, ...given });
    notices.say(texts.rooms.added(added.name));
    onClose();
    router.go(adminPath("rooms", added.groupId));
  };
  return (
    <DialogForm
      title={texts.rooms.add}
      entries={roomEntries(texts)}
      initial={{ type: "1" }}
      submit={texts.rooms.add}
      onSubmit={add}
      onClose={onClose}
    />
  );
}

function RoomRow({ room }: { readonly room: GroupView }) {
  const texts = useAdminTexts();
  return (
    <a class="row" href={adminPath("rooms", room.groupId)}>
      <Portrait kind="group" id={room.groupId} avatar={room.avatar} size={40} />
      <span class="name" dir="auto">
        {room.name}
      </span>
      <span class="hint">{aboutRoom(room, texts)}</span>
    </a>
  );
}

/** All chat rooms, and how one is added. */
export function RoomList() {
  const { groups } = useOperator();
  const texts = useAdminTexts();
  const pages = useMemo(
    () =>
      createPages<GroupView>(
        (last) => groups.list({ limit: pageSize, ...(last && { after: last.groupId }) }),
        pageSize,
      ),
    [groups],
  );
  return (
    <section>
      <ListHead title={texts.sections.rooms}>
        <Opens label={texts.rooms.add} look="primary">
          {(close) => <AddRoom onClose={close} />}
        </Opens>
      </ListHead>
      <PagedList
        pages={pages}
        wordsOf={({ groupId, name, ext, bot }) => [groupId, name, ext, bot].join(" ")}
        label={texts.sections.rooms}
        keyOf={({ groupId }) => groupId}
        row={(room) => <RoomRow room={room} />}
      />
    </section>
  );
}
