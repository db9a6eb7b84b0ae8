import type { MessageView } from "@telex/core";
import { useAccount } from "../../app/account.ts";
import { useOnce } from "../../ui/actions/use-once.ts";
import { Button } from "../../ui/forms/button.tsx";
import { useProblemText, useReport } from "../../ui/forms/use-report.ts";
import { useRoomTexts } from "../content/texts.ts";
import { useRooms } from "../state/context.ts";

type Reaction = NonNullable<MessageView["reactions"]>[number];

const isOwn = ({ users }: Reaction, userId: number): boolean =>
  users.some((user) => user.external !== true && user.userId === String(userId));

/** Adds or removes a reaction of the person. */
export function useReact(message: MessageView): (emoji: string) => void {
  const { amends } = useRooms();
  const { person } = useAccount();
  const report = useReport(useProblemText());
  const { once } = useOnce();
  return (emoji) => {
    const existing = message.reactions?.find((reaction) => reaction.emoji === emoji);
    const isRemoved = existing !== undefined && isOwn(existing, person.userId);
    void once(() => report(amends.react(message, emoji, isRemoved)));
  };
}

interface ReactionButtonProps {
  readonly reaction: Reaction;
  readonly disabled: boolean;
  readonly onClick: (emoji: string) => void;
}

function ReactionButton({ reaction, disabled, onClick }: ReactionButtonProps) {
  const texts = useRoomTexts();
  const { person } = useAccount();
  const { emoji, count, users } = reaction;
  const about = texts.reactions(emoji, count, users.map(({ nickname }) => nickname).join(", "));
  const state = { "aria-pressed": isOwn(reaction, person.userId), "aria-label": about, title: about };
  return (
    <Button {...state} disabled={disabled} onClick={() => onClick(emoji)}>
      {emoji} {count}
    </Button>
  );
}

/** The reactions to a message, and who reacted. A click adds or removes the person's own. */
export function Reactions({ message, canReact }: { readonly message: MessageView; readonly canReact: boolean }) {
  const react = useReact(message);
  const { reactions = [] } = message;
  if (reactions.length === 0) return null;
  return (
    <div class="reactions">
      {reactions.map((reaction) => (
        <ReactionButton key={reaction.emoji} reaction={reaction} disabled={!canReact} onClick={react} />
      ))}
    </div>
  );
}
