import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useApp, useTexts } from "../../app/context.ts";
import { Button } from "../../ui/forms/button.tsx";
import { Icon } from "../../ui/forms/icon.tsx";
import { IconButton } from "../../ui/forms/icon-button.tsx";
import type { RoomView } from "../content/api.ts";
import { useRoomTexts } from "../content/texts.ts";
import { useRooms } from "../state/context.ts";
import type { Room } from "../state/room.ts";
import { AddPeopleDialog } from "./add-people.tsx";
import { Endings } from "./endings.tsx";
import { InviteButton } from "./invite.tsx";
import { LevelChoice } from "./level-choice.tsx";
import { PinsButton } from "./pins.tsx";
import { Members } from "./members.tsx";
import { Topic } from "./topic.tsx";

interface SideProps {
  readonly room: Room;
  readonly view: RoomView;
}

function AddPeople(props: SideProps) {
  const texts = useRoomTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button class="primary" onClick={() => setOpen(true)}>
        <Icon shape="plus" />
        {texts.addPeople}
      </Button>
      {isOpen && <AddPeopleDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Takes the focus when it is opened by its button, and gives it back. */
function useSide() {
  const { isSideOpen } = useRooms();
  const box = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (document.activeElement?.getAttribute("aria-controls") === "side") box.current?.focus();
  }, []);
  const close = (): void => {
    isSideOpen.value = false;
    document.querySelector<HTMLElement>("[aria-controls=side]")?.focus();
  };
  return { box, close };
}

/** The ways to end a room that is run here. */
function Running({ view }: SideProps) {
  return (
    <>
      <hr />
      <LevelChoice view={view} />
      <PinsButton view={view} />
      <Endings view={view} />
    </>
  );
}

/** A room, its members, and how it is run. */
export function Side(props: SideProps) {
  const { view } = props;
  const texts = useRoomTexts();
  const shared = useTexts();
  const { session } = useApp();
  const { box, close } = useSide();
  const isOurs = view.bot === null && session.way.value === "accounts";
  const canRun = isOurs && view.groupType === 1 && view.role !== "member";
  return (
    <aside id="side" class="side" ref={box} tabIndex={-1} aria-label={texts.showAbout}>
      <header>
        <h2>{view.groupType === 2 ? texts.privateChat : texts.about}</h2>
        <IconButton shape="close" label={shared.close} onClick={close} />
      </header>
      <Topic view={view} canRun={canRun} />
      {canRun && (
        <div class="endings">
          <AddPeople {...props} />
          <InviteButton view={view} />
        </div>
      )}
      <Members {...props} />
      {isOurs && <Running {...props} />}
    </aside>
  );
}
