import type { FileLinkView, OwnFileView } from "@telex/core";
import { useState } from "preact/hooks";
import { useApp, useFormat } from "../app/context.ts";
import { Danger } from "../ui/actions/danger.tsx";
import { optionsOf } from "../ui/actions/form.tsx";
import { useAction } from "../ui/actions/use-action.ts";
import { Command } from "../ui/forms/command.tsx";
import { Labelled } from "../ui/forms/labelled.tsx";
import { Select } from "../ui/forms/select.tsx";
import { useKeptFocus } from "../ui/lists/use-kept-focus.ts";
import { Dialog } from "../ui/panes/dialog.tsx";
import { FormDialog } from "../ui/panes/form-dialog.tsx";
import { nameOf } from "./name.ts";
import type { OwnFiles } from "./own-files.ts";
import { useFileTexts } from "./texts.ts";

/** In seconds. */
const lives = { hour: 3600, day: 86_400, week: 7 * 86_400, month: 30 * 86_400 } as const;

const lifeNames = ["hour", "day", "week", "month"] as const;

interface LinkRowProps {
  readonly link: FileLinkView;
  readonly onRevoke: (id: string) => Promise<void>;
}

function LinkRow({ link: { id, expireTime }, onRevoke }: LinkRowProps) {
  const texts = useFileTexts();
  const { date } = useFormat();
  const about = texts.linkUntil(date(expireTime));
  const revoke = async (): Promise<string> => {
    await onRevoke(id);
    return texts.ended;
  };
  const question = { label: texts.endLink, title: texts.endTitle, lead: texts.endLead };
  return (
    <li>
      <span>{about}</span> <Danger look="link" about={about} {...question} work={revoke} />
    </li>
  );
}

/** The active links to a file. */
function Links({ own, file }: Pick<ShareProps, "own" | "file">) {
  const texts = useFileTexts();
  const focus = useKeptFocus();
  const links = own.links.value.filter(({ file_id }) => file_id === file.file_id);
  if (links.length === 0) return null;
  return (
    <section>
      <h3>{texts.links}</h3>
      <ul class="names" {...focus}>
        {links.map((link) => (
          <LinkRow key={link.id} link={link} onRevoke={own.revoke} />
        ))}
      </ul>
    </section>
  );
}

interface ShareProps {
  readonly own: OwnFiles;
  readonly file: OwnFileView;
  readonly onClose: () => void;
}

type Made = Awaited<ReturnType<OwnFiles["share"]>>;

/** The new link, which is shown once. */
function NewLink({ made, onClose }: { readonly made: Made; readonly onClose: () => void }) {
  const texts = useFileTexts();
  const { origin } = useApp();
  return (
    <Dialog title={texts.linkTitle} onClose={onClose} isKept>
      <p>{made.public ? texts.linkLead : texts.linkToken}</p>
      <Command>{origin + made.url}</Command>
    </Dialog>
  );
}

/** Creates a link to a file, and revokes existing ones. */
export function ShareDialog({ own, file, onClose }: ShareProps) {
  const texts = useFileTexts();
  const action = useAction();
  const [life, setLife] = useState<(typeof lifeNames)[number]>("week");
  const [made, setMade] = useState<Made | null>(null);
  const make = async (): Promise<null> => {
    setMade(await own.share(file.file_id, lives[life]));
    return null;
  };
  const choose = (value: string): void => setLife(lifeNames.find((name) => name === value) ?? "week");
  if (made !== null) return <NewLink made={made} onClose={onClose} />;
  return (
    <FormDialog
      title={texts.share(nameOf(file))}
      lead={texts.shareLead}
      submit={texts.makeLink}
      busy={action.busy}
      onSubmit={() => action.run(make)}
      onClose={onClose}
    >
      <Labelled label={texts.life} error={action.text}>
        {(id) => <Select id={id} value={life} options={optionsOf(lifeNames, texts.lives)} onValue={choose} />}
      </Labelled>
      <Links own={own} file={file} />
    </FormDialog>
  );
}
