import { useAccount } from "../../app/account.ts";
import { ErrorText } from "../../ui/forms/error-text.tsx";
import { Dialog } from "../../ui/panes/dialog.tsx";
import type { RoomView } from "../content/api.ts";
import { useSideTexts } from "../content/side-texts.ts";
import { Hooks } from "./hooks.tsx";
import { useLoaded } from "../../ui/actions/use-loaded.ts";

interface OutletsDialogProps {
  readonly view: RoomView;
  /** True if the person may create and remove hooks. */
  readonly canRun: boolean;
  readonly onClose: () => void;
}

/** The devices that print the room, and its bot, hooks and models. */
export function OutletsDialog({ view, canRun, onClose }: OutletsDialogProps) {
  const { groups } = useAccount().accounts;
  const texts = useSideTexts();
  const { groupId } = view;
  const { value, error } = useLoaded(async () => (await groups.devices({ groupId })).list);
  const shown = value?.filter(({ kind }) => kind !== "hook" || !canRun);
  return (
    <Dialog title={texts.outlets} onClose={onClose}>
      <p class="hint">{texts.outletsLead}</p>
      <ErrorText text={error} />
      {shown?.length === 0 && <p>{texts.noOutlets}</p>}
      <ul class="names">
        {shown?.map(({ kind, name, owner, tokens }) => (
          <li key={`${kind} ${name} ${owner?.userId}`}>
            <b dir="auto">{name}</b>{" "}
            <span class="hint">
              {texts.kinds[kind]} {owner !== null && texts.ownedBy(owner.nickname)}
              {tokens !== undefined && texts.told(tokens)}
            </span>
          </li>
        ))}
      </ul>
      {canRun && <Hooks view={view} />}
    </Dialog>
  );
}
