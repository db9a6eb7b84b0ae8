import type { ComponentChildren } from "preact";
import { useApp } from "../../app/context.ts";
import { home } from "../../app/route.ts";
import { Command } from "../../ui/forms/command.tsx";
import { Icon, type Shape } from "../../ui/forms/icon.tsx";
import { useRoomTexts } from "../content/texts.ts";

interface WayProps {
  readonly shape: Shape;
  readonly name: string;
  readonly lead: string;
  readonly children: ComponentChildren;
}

const Way = ({ shape, name, lead, children }: WayProps) => (
  <li>
    <Icon shape={shape} />
    <div class="grow">
      <b>{name}</b>
      <p class="hint">{lead}</p>
    </div>
    {children}
  </li>
);

function Ways() {
  const texts = useRoomTexts();
  return (
    <ul class="ways">
      <Way shape="people" name={texts.newRoom} lead={texts.startRoom}>
        <a class="button primary" href="#new">
          {texts.newRoom}
        </a>
      </Way>
      <Way shape="person" name={texts.privateChat} lead={texts.startChat}>
        <a class="button" href="#chat">
          {texts.findPerson}
        </a>
      </Way>
      <Way shape="link" name={texts.haveLink} lead={texts.haveLinkLead}>
        <a class="button" href="#join">
          {texts.join}
        </a>
      </Way>
    </ul>
  );
}

/** Shown on servers without accounts, where the operator creates the rooms. */
function ByOperator() {
  const texts = useRoomTexts();
  return (
    <>
      <p>{texts.noRoomsLead}</p>
      <Command>telex group add --type 1 --name Lounge --member 1</Command>
    </>
  );
}

function OtherWays() {
  const texts = useRoomTexts();
  return (
    <p class="hint ends-with">
      {texts.otherWays}
      <a href={home}>{texts.toDevices}</a>.
    </p>
  );
}

/** Shown if no room is open: the ways to start a conversation. */
export function Start() {
  const { session } = useApp();
  const texts = useRoomTexts();
  return (
    <section class="empty" aria-label={texts.startTitle}>
      <div class="paper torn start">
        <h2>{texts.startTitle}</h2>
        <p class="hint">{texts.startLead}</p>
        {session.way.value === "accounts" ? <Ways /> : <ByOperator />}
        <OtherWays />
      </div>
    </section>
  );
}
