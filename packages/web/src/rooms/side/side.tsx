import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useApp, useTexts } from "../../app/context.ts";
import { Opens } from "../../ui/actions/dialog-form.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { Icon } from "../../ui/forms/icon.tsx";
import { IconButton } from "../../ui/forms/icon-button.tsx";
import { createLazy } from "../../ui/panes/lazy.tsx";
import type { RoomView } from "../content/api.ts";
import { useSideTexts } from "../content/side-texts.ts";
import { useRoomTexts } from "../content/texts.ts";
import { useRooms } from "../state/context.ts";
import type { Room } from "../state/room.ts";
import { AddPeopleDialog } from "./add-people.tsx";
import { Endings } from "./endings.tsx";
import { InviteButton } from "./invite.tsx";
import { LevelChoice } from "./level-choice.tsx";
import { MuteChoice } from "./mute-choice.tsx";
import { PinsButton } from "./pins.tsx";
import { Members } from "./members.tsx";
import { RoomPicture } from "./room-picture.tsx";
import { Topic } from "./topic.tsx";
import "../styles/side.css";

const LinksDialog = createLazy(async () => (await import("./links.tsx")).LinksDialog);
const OutletsDialog = createLazy(async () => (await import("./outlets.tsx")).OutletsDialog);

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

/** The controls of owners and moderators: invitations and the picture. */
function Leading(props: SideProps) {
  const { view } = props;
  const texts = useSideTexts();
  return (
    <div class="endings">
      <AddPeople {...props} />
      <InviteButton view={view} />
      <Opens look="link" label={texts.links}>
        {(close) => <LinksDialog view={view} onClose={close} />}
      </Opens>
      <RoomPicture view={view} />
    </div>
  );
}

/** Focuses the panel when its button opens it, and restores the focus when it closes. */
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

/** The controls of rooms on this server: notifications, outlets and endings. */
function Running({ view, canRun }: SideProps & { readonly canRun: boolean }) {
  const texts = useSideTexts();
  return (
    <>
      <hr />
      <LevelChoice view={view} />
      <MuteChoice view={view} />
      <Opens label={texts.outlets}>{(close) => <OutletsDialog {...{ view, canRun }} onClose={close} />}</Opens>
      <PinsButton view={view} />
      <Endings view={view} />
    </>
  );
}

/** The side panel: the topic, the members and the controls of a room. */
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
      {canRun && <Leading {...props} />}
      <Members {...props} />
      {isOurs && <Running {...props} canRun={canRun} />}
    </aside>
  );
}
