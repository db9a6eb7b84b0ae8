import type { QuotaView } from "@telex/core";
import type { OperatorClient } from "@telex/http/client";
import { useFormat, useNumbers } from "../app/context.ts";
import { usedOf } from "../base/quota.ts";
import { QuotaBar } from "../ui/panes/quota-bar.tsx";
import { Card } from "./parts/card.tsx";
import { useOperator } from "./parts/context.ts";
import { Trouble, useFetched } from "./parts/fetched.tsx";
import { type FormEntries, optionsOf, type Read } from "../ui/actions/form.tsx";
import { DialogForm, Opens } from "../ui/actions/dialog-form.tsx";
import { useAdminTexts } from "./texts/texts.ts";
import type { AdminTexts } from "./texts/type.ts";

type Days = Awaited<ReturnType<OperatorClient["quota"]["history"]>>;
type QuotaEntry = "max" | "unit" | "period";

const units = ["count", "token"] as const;
const periods = ["daily", "weekly", "monthly"] as const;

const quotaEntries = ({ users }: AdminTexts): FormEntries<QuotaEntry> => ({
  max: { label: users.quotaMax, input: { inputmode: "numeric", pattern: "[0-9]{1,15}" } },
  unit: { kind: "select", label: users.quotaUnit, options: optionsOf(units, users.quotaUnits) },
  period: { kind: "select", label: users.quotaPeriod, options: optionsOf(periods, users.quotaPeriods) },
});

const initialOf = ({ allocationMax, allocationUnit: unit, allocationPeriod: period }: QuotaView) => ({
  max: String(allocationMax),
  unit,
  period,
});

/** The quota from the form. */
const requestOf = (read: Read<QuotaEntry>, { allocationUnit, allocationPeriod }: QuotaView) => ({
  max: Number(read("max")),
  unit: units.find((one) => one === read("unit")) ?? allocationUnit,
  period: periods.find((one) => one === read("period")) ?? allocationPeriod,
});

interface SetQuotaProps {
  readonly userId: number;
  readonly quota: QuotaView;
  readonly onSet: () => void;
  readonly onClose: () => void;
}

function SetQuota({ userId, quota, onSet, onClose }: SetQuotaProps) {
  const { quota: quotas } = useOperator();
  const texts = useAdminTexts();
  const set = async (read: Read<QuotaEntry>): Promise<string> => {
    await quotas.assign({ userId, ...requestOf(read, quota) });
    onSet();
    return texts.saved;
  };
  const form = { title: texts.users.quotaSet, submit: texts.users.quotaSet, onSubmit: set, onClose };
  return <DialogForm entries={quotaEntries(texts)} initial={initialOf(quota)} {...form} />;
}

function Use({ quota }: { readonly quota: QuotaView }) {
  const { users: texts } = useAdminTexts();
  const format = useFormat();
  const numbers = useNumbers();
  const { allocationUnit: unit, allocationMax: max, allocationPeriod: period, nextReset } = quota;
  const most = `${numbers.format(max)} ${texts.quotaUnits[unit]}`;
  const words = texts.quotaUsed(numbers.format(usedOf(quota)), most, texts.quotaPeriods[period]);
  return (
    <>
      <p>{words}</p>
      <QuotaBar part={usedOf(quota)} max={max} words={words} />
      <p class="hint">{texts.quotaNext(format.day(nextReset))}</p>
    </>
  );
}

const columns = 30;
const dayLength = 86_400_000;
/** The width of a bar with its gap, and the maximum height. */
const [pitch, highest] = [10, 48];

/** A bar for each day, with a description. The last day is at the end. */
function columnsOf(days: Days, wordsOf: (day: Days[number]) => string) {
  const most = Math.max(1, ...days.map(({ tokens }) => tokens));
  const last = Math.max(...days.map(({ day }) => Date.parse(day)));
  return days.map((day) => {
    const column = columns - 1 - Math.round((last - Date.parse(day.day)) / dayLength);
    const height = Math.max(2, (day.tokens / most) * highest);
    return { key: day.day, x: column * pitch, y: highest - height, height, words: wordsOf(day) };
  });
}

type Column = ReturnType<typeof columnsOf>[number];

function Columns({ drawn }: { readonly drawn: readonly Column[] }) {
  const label = drawn.map(({ words }) => words).join("; ");
  return (
    <svg viewBox={`0 0 ${columns * pitch} ${highest}`} role="img" aria-label={label}>
      {drawn.map(({ words, ...column }) => (
        <rect {...column} width={pitch - 2}>
          <title>{words}</title>
        </rect>
      ))}
    </svg>
  );
}

/** A chart of the usage per day. Screen readers read the days. */
function History({ days }: { readonly days: Days }) {
  const { users: texts } = useAdminTexts();
  const numbers = useNumbers();
  const wordsOf = ({ day, replies, tokens }: Days[number]): string =>
    texts.quotaDay(day, numbers.format(replies), numbers.format(tokens));
  if (days.length === 0) return <p class="hint">{texts.quotaNoDays}</p>;
  return (
    <figure class="days">
      <Columns drawn={columnsOf(days, wordsOf)} />
      <figcaption class="hint">{texts.quotaDays}</figcaption>
    </figure>
  );
}

/** The quota of a user, and the usage per day. */
function useQuota(userId: number) {
  const { quota: quotas } = useOperator();
  const quota = useFetched(() => quotas.show({ userId }), [quotas, userId]);
  const history = useFetched(() => quotas.history({ userId, days: columns }), [quotas, userId]);
  const again = (): void => {
    quota.load();
    history.load();
  };
  return { quota: quota.value, days: history.value, failure: quota.failure ?? history.failure, again };
}

/** The quota of a user, the used part, and a form to set it. */
export function Quota({ userId }: { readonly userId: number }) {
  const { users: texts } = useAdminTexts();
  const { quota, days, failure, again } = useQuota(userId);
  const set = quota && (
    <Opens label={texts.quotaSet}>
      {(close) => <SetQuota userId={userId} quota={quota} onSet={again} onClose={close} />}
    </Opens>
  );
  return (
    <Card title={texts.quota} actions={set}>
      <Trouble failure={failure} onAgain={again} />
      {quota !== null && <Use quota={quota} />}
      {days !== null && <History days={days} />}
    </Card>
  );
}
