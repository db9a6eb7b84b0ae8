import type { GroupView } from "@telex/core";
import type { OperatorClient } from "@telex/http/client";
import { useApp, useFormat, useTexts } from "../context.ts";
import { adminPath } from "../route.ts";
import { useOperator } from "./context.ts";
import { Danger } from "./danger.tsx";
import { Form } from "./form.tsx";
import { Trouble, useFetched } from "./list.tsx";
import { Members } from "./members.tsx";
import { Portrait, PortraitEditor } from "./portrait.tsx";
import { aboutRoom } from "./rooms.tsx";
import { useAdminTexts } from "./texts.ts";

interface RoomProps {
  readonly room: GroupView;
  readonly onRoom: (room: GroupView) => void;
}

function Head({ room, onRoom }: RoomProps) {
  const { groups } = useOperator();
  const texts = useAdminTexts();
  const format = useFormat();
  const { groupId, name, avatar, createdAt } = room;
  return (
    <header class="subject">
      <Portrait kind="group" id={groupId} avatar={avatar} size={72} />
      <div>
        <h2 dir="auto">{name}</h2>
        <p class="hint">
          {aboutRoom(room, texts)} · {texts.addedOn(format.day(Date.parse(createdAt)))}
        </p>
        <PortraitEditor
          avatar={avatar}
          onFile={async (file) => onRoom(await groups.putAvatar({ groupId, file }))}
          onRemove={async () => onRoom(await groups.amend({ groupId, avatar: null }))}
        />
      </div>
    </header>
  );
}

function About({ room, onRoom }: RoomProps) {
  const { groups } = useOperator();
  const { notices } = useApp();
  const shared = useTexts();
  const texts = useAdminTexts();
  const { groupId, name } = room;
  return (
    <section class="card" aria-labelledby="about">
      <h3 id="about">{texts.rooms.about}</h3>
      <Form
        entries={[{ kind: "text", name: "name", label: texts.rooms.name, input: { maxlength: 128 } }]}
        initial={{ name }}
        submit={shared.save}
        onSubmit={async (read) => {
          onRoom(await groups.amend({ groupId, name: read("name").trim() }));
          notices.say(texts.saved);
        }}
      />
    </section>
  );
}

function RemoveRoom({ room }: Pick<RoomProps, "room">) {
  const { groups } = useOperator();
  const { notices, router } = useApp();
  const { rooms: texts } = useAdminTexts();
  const { groupId, name } = room;
  const remove = async (): Promise<void> => {
    await groups.remove({ groupId });
    notices.say(texts.removed(name));
    router.go(adminPath("rooms"), "replace");
  };
  const question = { title: texts.removeTitle(name), lead: texts.removeLead, confirm: texts.remove };
  return (
    <div class="end">
      <Danger label={texts.remove} {...question} work={remove} />
    </div>
  );
}

/** A list of rooms begins behind an id: the one before it gives the room itself. */
const showRoom = async ({ list }: OperatorClient["groups"], groupId: number): Promise<GroupView | null> => {
  const [found] = await list({ limit: 1, ...(groupId > 1 && { after: groupId - 1 }) });
  return found?.groupId === groupId ? found : null;
};

/** One chat room: its name, its picture and its members. */
export function RoomPlace({ groupId }: { readonly groupId: number }) {
  const { groups } = useOperator();
  const texts = useAdminTexts();
  const found = useFetched(async () => ({ room: await showRoom(groups, groupId) }), [groups, groupId]);
  const room = found.value?.room ?? null;
  const setRoom = (changed: GroupView): void => found.setValue({ room: changed });
  return (
    <article>
      <a class="up" href={adminPath("rooms")}>
        {texts.rooms.all}
      </a>
      <Trouble failure={found.failure} onAgain={found.load} />
      {found.value === null && found.failure === null && <p class="quiet">{texts.loading}</p>}
      {found.value !== null && room === null && <p class="quiet">{texts.rooms.unknown(groupId)}</p>}
      {room !== null && (
        <>
          <Head room={room} onRoom={setRoom} />
          <div class="cards-grid">
            <Members groupId={groupId} />
            <About room={room} onRoom={setRoom} />
          </div>
          <RemoveRoom room={room} />
        </>
      )}
    </article>
  );
}
