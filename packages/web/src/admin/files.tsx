import type { OperatorClient } from "@telex/http/client";
import { useMemo } from "preact/hooks";
import { useApp, useFormat } from "../context.ts";
import { formatSize } from "../uploads/size.ts";
import { useOperator } from "./context.ts";
import { Danger } from "./danger.tsx";
import { DialogForm, Opens } from "./form.tsx";
import { ListHead, PagedList } from "./list.tsx";
import { createPages, type Pages } from "./pages.ts";
import { useAdminTexts } from "./texts.ts";

type FileRow = Awaited<ReturnType<OperatorClient["files"]["list"]>>[number];

const pageSize = 100;

/** Takes a file out of service that somebody has reported. */
function ById({ pages, onClose }: { readonly pages: Pages<FileRow>; readonly onClose: () => void }) {
  const { files } = useOperator();
  const { notices } = useApp();
  const { files: texts } = useAdminTexts();
  const input = { pattern: "[0-9a-fA-F]{32}", spellcheck: false, maxlength: 32 } as const;
  return (
    <DialogForm
      title={texts.byIdTitle}
      lead={`${texts.byIdLead} ${texts.quarantineLead}`}
      entries={[{ kind: "text", name: "file_id", label: texts.id, hint: texts.idHint, input }]}
      submit={texts.quarantine}
      onSubmit={async (read) => {
        await files.quarantine({ file_id: read("file_id") });
        notices.say(texts.quarantined);
        onClose();
        await pages.load();
      }}
      onClose={onClose}
    />
  );
}

function Sweep({ pages }: { readonly pages: Pages<FileRow> }) {
  const { files } = useOperator();
  const { notices, preferences } = useApp();
  const { files: texts } = useAdminTexts();
  const sweep = async (): Promise<void> => {
    const swept = await files.sweep({});
    notices.say(texts.swept(swept.files, formatSize(swept.bytes, preferences.spoken.value)));
    await pages.load();
  };
  const question = { title: texts.sweepTitle, lead: texts.sweepLead, confirm: texts.sweep };
  return <Danger label={texts.sweep} {...question} work={sweep} />;
}

/** What keeps a file, or that nothing does. */
function Kept({ file }: { readonly file: FileRow }) {
  const { now } = useApp();
  const format = useFormat();
  const { files: texts } = useAdminTexts();
  if (file.kept) return texts.kept;
  return file.usedAt === null ? texts.unused : texts.used(format.ago(Date.parse(file.usedAt), now.value));
}

function Row({ file, pages }: { readonly file: FileRow; readonly pages: Pages<FileRow> }) {
  const { files } = useOperator();
  const { notices, preferences } = useApp();
  const format = useFormat();
  const { files: texts } = useAdminTexts();
  const { file_id, mime, size, createdAt } = file;
  const title = texts.quarantineTitle(file_id);
  const quarantine = async (): Promise<void> => {
    await files.quarantine({ file_id });
    notices.say(texts.quarantined);
    await pages.load();
  };
  const question = { about: file_id, title, lead: texts.quarantineLead, confirm: texts.quarantine };
  return (
    <>
      <p class="first">
        <code>{file_id}</code>
      </p>
      <p class="hint">
        {mime} · {formatSize(size, preferences.spoken.value)} · {format.date(Date.parse(createdAt))} ·{" "}
        <Kept file={file} />
      </p>
      <div class="actions links">
        <Danger look="link" label={texts.quarantine} {...question} work={quarantine} />
      </div>
    </>
  );
}

/** The stored files, without pictures of messages. */
export function FileList() {
  const { files } = useOperator();
  const texts = useAdminTexts();
  const pages = useMemo(
    () =>
      createPages<FileRow>((last) => files.list({ limit: pageSize, ...(last && { after: last.file_id }) }), pageSize),
    [files],
  );
  return (
    <section class="plain-rows">
      <ListHead title={texts.sections.files}>
        <Opens label={texts.files.byId}>{(close) => <ById pages={pages} onClose={close} />}</Opens>
        <Sweep pages={pages} />
      </ListHead>
      <p class="hint">{texts.files.lead}</p>
      <PagedList
        pages={pages}
        wordsOf={null}
        label={texts.sections.files}
        keyOf={({ file_id }) => file_id}
        row={(file) => <Row file={file} pages={pages} />}
      />
    </section>
  );
}
