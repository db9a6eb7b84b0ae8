import type { OperatorClient } from "@telex/http/client";
import { useAgo, useApp, useFormat } from "../app/context.ts";
import { formatSize } from "../uploads/size.ts";
import { useOperator } from "./parts/context.ts";
import { Danger } from "../ui/actions/danger.tsx";
import { DialogForm, Opens } from "../ui/actions/dialog-form.tsx";
import { ItemRow } from "./parts/item-list.tsx";
import { ListHead, PagedList } from "./parts/list.tsx";
import { type Pages, usePages } from "./parts/pages.ts";
import { useAdminTexts } from "./texts/texts.ts";

type FileView = Awaited<ReturnType<OperatorClient["files"]["list"]>>[number];

const pageSize = 100;

interface FilesProps {
  readonly pages: Pages<FileView>;
}

/** Quarantines a file, and shows a notice. */
function useQuarantine({ pages }: FilesProps) {
  const { files } = useOperator();
  const { files: texts } = useAdminTexts();
  return async (file_id: string): Promise<string> => {
    await files.quarantine({ file_id });
    void pages.load();
    return texts.quarantined;
  };
}

/** Quarantines a reported file by its ID. */
function ById({ pages, onClose }: FilesProps & { readonly onClose: () => void }) {
  const quarantine = useQuarantine({ pages });
  const { files: texts } = useAdminTexts();
  const input = { pattern: "[0-9a-fA-F]{32}", spellcheck: false, maxlength: 32 } as const;
  const entries = { file_id: { label: texts.id, hint: texts.idHint, input } };
  const words = { title: texts.byIdTitle, lead: `${texts.byIdLead} ${texts.quarantineLead}`, submit: texts.quarantine };
  return <DialogForm {...words} entries={entries} onSubmit={(read) => quarantine(read("file_id"))} onClose={onClose} />;
}

function Sweep({ pages }: FilesProps) {
  const { files } = useOperator();
  const { preferences } = useApp();
  const { files: texts } = useAdminTexts();
  const sweep = async (): Promise<string> => {
    const swept = await files.sweep({});
    void pages.load();
    return texts.swept(swept.files, formatSize(swept.bytes, preferences.spoken.value));
  };
  return <Danger label={texts.sweep} title={texts.sweepTitle} lead={texts.sweepLead} work={sweep} />;
}

/** The reason why a file is kept, if there is one. */
function Kept({ file }: { readonly file: FileView }) {
  const ago = useAgo();
  const { files: texts } = useAdminTexts();
  if (file.kept) return texts.kept;
  return file.usedAt === null ? texts.unused : texts.used(ago(Date.parse(file.usedAt)));
}

function About({ file }: { readonly file: FileView }) {
  const { preferences } = useApp();
  const format = useFormat();
  const { mime, size, createdAt } = file;
  return (
    <>
      {mime} · {formatSize(size, preferences.spoken.value)} · {format.date(Date.parse(createdAt))} ·{" "}
      <Kept file={file} />
    </>
  );
}

function Row({ file, pages }: FilesProps & { readonly file: FileView }) {
  const quarantine = useQuarantine({ pages });
  const { files: texts } = useAdminTexts();
  const { file_id } = file;
  const question = { label: texts.quarantine, title: texts.quarantineTitle(file_id), lead: texts.quarantineLead };
  return (
    <ItemRow name={file_id} about={<About file={file} />}>
      <Danger look="link" about={file_id} {...question} work={() => quarantine(file_id)} />
    </ItemRow>
  );
}

/** The stored files, except pictures in messages. */
export function FileList() {
  const { files } = useOperator();
  const texts = useAdminTexts();
  const pages = usePages(files.list, pageSize, ({ file_id }: FileView) => file_id);
  const row = (file: FileView) => <Row key={file.file_id} file={file} pages={pages} />;
  return (
    <section class="plain-rows">
      <ListHead title={texts.sections.files}>
        <Opens label={texts.files.byId}>{(close) => <ById pages={pages} onClose={close} />}</Opens>
        <Sweep pages={pages} />
      </ListHead>
      <p class="hint">{texts.files.lead}</p>
      <PagedList pages={pages} wordsOf={null} label={texts.sections.files} row={row} />
    </section>
  );
}
