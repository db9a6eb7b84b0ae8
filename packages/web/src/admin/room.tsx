import type { GroupView } from "@telex/core";
import type { OperatorClient } from "@telex/http/client";
import { useTexts } from "../app/context.ts";
import { adminPath } from "../app/route.ts";
import { Card } from "./parts/card.tsx";
import { useOperator } from "./parts/context.ts";
import { useFetched } from "./parts/fetched.tsx";
import { Form } from "../ui/actions/form.tsx";
import { Members } from "./members.tsx";
import { aboutRoom } from "./rooms.tsx";
import { RemoveSubject, SubjectHead, SubjectPage } from "./subject.tsx";
import { useAdminTexts } from "./texts/texts.ts";

interface RoomProps {
  readonly room: GroupView;
  readonly onRoom: (room: GroupView) => void;
}

function Head({ room, onRoom }: RoomProps) {
  const { groups } = useOperator();
  const texts = useAdminTexts();
  const { groupId, name, avatar, createdAt } = room;
  const subject = { kind: "group", id: groupId, avatar, name, about: aboutRoom(room, texts), createdAt } as const;
  return (
    <SubjectHead
      {...subject}
      onFile={async (file) => onRoom(await groups.putAvatar({ groupId, file }))}
      onRemove={async () => onRoom(await groups.amend({ groupId, avatar: null }))}
    />
  );
}

function About({ room, onRoom }: RoomProps) {
  const { groups } = useOperator();
  const shared = useTexts();
  const texts = useAdminTexts();
  const { groupId, name } = room;
  const save = async (read: (name: "name") => string): Promise<string> => {
    onRoom(await groups.amend({ groupId, name: read("name").trim() }));
    return texts.saved;
  };
  const entries = { name: { label: texts.rooms.name, input: { maxlength: 128 } } };
  return (
    <Card title={texts.rooms.about}>
      <Form entries={entries} initial={{ name }} submit={shared.save} onSubmit={save} />
    </Card>
  );
}

function RemoveRoom({ room: { groupId, name } }: Pick<RoomProps, "room">) {
  const { groups } = useOperator();
  return <RemoveSubject section="rooms" name={name} onRemove={() => groups.remove({ groupId })} />;
}

const Room = ({ room, onRoom }: RoomProps) => (
  <>
    <Head room={room} onRoom={onRoom} />
    <div class="cards">
      <Members groupId={room.groupId} />
      <About room={room} onRoom={onRoom} />
    </div>
    <RemoveRoom room={room} />
  </>
);

/** Finds one room. A list of rooms begins after an ID, so the list after the previous ID begins with this room. */
const showRoom = async ({ list }: OperatorClient["groups"], groupId: number): Promise<GroupView | null> => {
  const [found] = await list({ limit: 1, ...(groupId > 1 && { after: groupId - 1 }) });
  return found?.groupId === groupId ? found : null;
};

/** One room: its name, its picture and its members. */
export function RoomPage({ groupId }: { readonly groupId: number }) {
  const { groups } = useOperator();
  const { rooms: texts } = useAdminTexts();
  const fetched = useFetched(async () => ({ room: await showRoom(groups, groupId) }), [groups, groupId]);
  const onRoom = (room: GroupView): void => fetched.setValue({ room });
  return (
    <SubjectPage up={{ href: adminPath("rooms"), name: texts.all }} from={fetched}>
      {({ room }) =>
        room === null ? <p class="quiet">{texts.unknown(groupId)}</p> : <Room room={room} onRoom={onRoom} />
      }
    </SubjectPage>
  );
}
