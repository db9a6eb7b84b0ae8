import type { AuditEvent } from "@telex/metrics/client";
import { useMemo, useState } from "preact/hooks";
import { useFormat } from "../../app/context.ts";
import { adminPath } from "../../app/route.ts";
import { useAction } from "../../ui/actions/use-action.ts";
import { Button } from "../../ui/forms/button.tsx";
import { ErrorText } from "../../ui/forms/error-text.tsx";
import { Select } from "../../ui/forms/select.tsx";
import { useOperator } from "../parts/context.ts";
import { useFetched } from "../parts/fetched.tsx";
import { ListHead, PagedList } from "../parts/list.tsx";
import { usePages } from "../parts/pages.ts";
import { useAdminTexts } from "../texts/texts.ts";
import { type AuditFilter, exportEvents } from "./audit-export.ts";
import { useRecent } from "./context.ts";
import { useRecentTexts } from "./texts.ts";
import "./recent.css";

const pageSize = 100;
const mostNames = 1000;

/** The names of users by ID. */
type Names = ReadonlyMap<number, string>;

function useNames(): Names {
  const { users } = useOperator();
  const { value } = useFetched(() => users.list({ limit: mostNames }), [users]);
  return useMemo(() => new Map((value ?? []).map(({ id, nickname }) => [id, nickname])), [value]);
}

function Person({ id, names }: { readonly id: number; readonly names: Names }) {
  const texts = useAdminTexts();
  return (
    <a href={adminPath("users", id)} dir="auto">
      {names.get(id) ?? texts.number(id)}
    </a>
  );
}

/** The actor of an event: the name of an admin or a user, or a general word. */
function By({ fields, names }: { readonly fields: AuditEvent["fields"]; readonly names: Names }) {
  const texts = useRecentTexts();
  const by = fields["by"] === "user" ? fields["userId"] : fields["by"];
  if (typeof by === "number") return <Person id={by} names={names} />;
  return <span>{by === "operator" ? texts.operator : (by ?? texts.nobody)}</span>;
}

const isShown = ([name, value]: readonly [string, unknown]): boolean =>
  value !== null && !["by", "byToken", "userId"].includes(name);

const detailsOf = (fields: AuditEvent["fields"]): string =>
  Object.entries(fields)
    .filter(isShown)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(" · ");

function EventRow({
  event: { at, level, event, fields },
  names,
}: {
  readonly event: AuditEvent;
  readonly names: Names;
}) {
  const format = useFormat();
  const { userId } = fields;
  return (
    <li class={`event ${level}`}>
      <p class="first">
        <b>{event}</b>
        <time dateTime={at}>{format.date(Date.parse(at))}</time>
      </p>
      <p class="hint">
        <By fields={fields} names={names} />
        {typeof userId === "number" && fields["by"] !== "user" && (
          <>
            {" → "}
            <Person id={userId} names={names} />
          </>
        )}
        {detailsOf(fields) !== "" && ` · ${detailsOf(fields)}`}
      </p>
    </li>
  );
}

/** The values of the filter form. */
interface Asked {
  readonly subject: string;
  readonly level: string;
  readonly person: string;
}

function filterOf({ subject, level, person }: Asked): AuditFilter {
  const userId = /^[1-9]\d{0,14}$/.test(person.trim()) ? Number(person) : null;
  return {
    ...(subject !== "" && { event: subject }),
    ...((level === "info" || level === "warn") && { level }),
    ...(userId !== null && { userId }),
  };
}

function Filters({ asked, onAsked }: { readonly asked: Asked; readonly onAsked: (asked: Asked) => void }) {
  const texts = useRecentTexts();
  const subjects = Object.entries(texts.subjects).map(([value, name]) => ({ value, name }));
  const levels = Object.entries(texts.levels).map(([value, name]) => ({ value: value === "all" ? "" : value, name }));
  return (
    <div class="filters">
      <Select
        aria-label={texts.subject}
        value={asked.subject}
        options={[{ value: "", name: texts.everything }, ...subjects]}
        onValue={(subject) => onAsked({ ...asked, subject })}
      />
      <Select
        aria-label={texts.level}
        value={asked.level}
        options={levels}
        onValue={(level) => onAsked({ ...asked, level })}
      />
      <input
        type="search"
        class="filter"
        inputMode="numeric"
        aria-label={`${texts.person}: ${texts.personHint}`}
        placeholder={texts.person}
        value={asked.person}
        onInput={({ currentTarget }) => onAsked({ ...asked, person: currentTarget.value })}
      />
    </div>
  );
}

function Exports({ filter }: { readonly filter: AuditFilter }) {
  const recent = useRecent();
  const texts = useRecentTexts();
  const { busy, text, run } = useAction();
  const save = (form: "csv" | "json") =>
    run(async () => {
      await exportEvents(recent, filter, form);
      return null;
    });
  return (
    <>
      <Button disabled={busy} onClick={() => save("csv")}>
        {texts.exportAs("CSV")}
      </Button>
      <Button disabled={busy} onClick={() => save("json")}>
        {texts.exportAs("JSON")}
      </Button>
      <ErrorText text={text} />
    </>
  );
}

function Events({ filter }: { readonly filter: AuditFilter }) {
  const recent = useRecent();
  const texts = useRecentTexts();
  const names = useNames();
  const list = useMemo(
    () =>
      async ({ limit, after }: { readonly limit: number; readonly after?: number }) =>
        (await recent.audit({ ...filter, limit, ...(after !== undefined && { before: after }) })).list,
    [recent, filter],
  );
  const pages = usePages(list, pageSize, ({ id }: AuditEvent) => id);
  const row = (event: AuditEvent) => <EventRow key={event.id} event={event} names={names} />;
  return <PagedList pages={pages} wordsOf={null} label={texts.audit} look="items" row={row} />;
}

/** The audit events, filtered by subject, kind and person, with an export. */
export function AuditList() {
  const texts = useRecentTexts();
  const [asked, setAsked] = useState<Asked>({ subject: "", level: "", person: "" });
  const filter = useMemo(() => filterOf(asked), [asked]);
  return (
    <section>
      <ListHead title={texts.audit}>
        <Exports filter={filter} />
      </ListHead>
      <p class="hint">{texts.auditLead}</p>
      <Filters asked={asked} onAsked={setAsked} />
      <Events key={JSON.stringify(filter)} filter={filter} />
    </section>
  );
}
