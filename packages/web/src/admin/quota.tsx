import type { QuotaView } from "@telex/core";
import type { OperatorClient } from "@telex/http/client";
import { useApp, useFormat } from "../context.ts";
import { useOperator } from "./context.ts";
import { DialogForm, type FormEntry, Opens } from "./form.tsx";
import { Trouble, useFetched } from "./list.tsx";
import { type AdminTexts, useAdminTexts } from "./texts.ts";

type Days = Awaited<ReturnType<OperatorClient["quota"]["history"]>>;
type QuotaEntry = "max" | "unit" | "period";

const units = ["count", "token"] as const;
const periods = ["daily", "weekly", "monthly"] as const;

const quotaEntries = ({ users }: AdminTexts): readonly FormEntry<QuotaEntry>[] => [
  { kind: "text", name: "max", label: users.quotaMax, input: { inputmode: "numeric", pattern: "[0-9]{1,15}" } },
  {
    kind: "select",
    name: "unit",
    label: users.quotaUnit,
    options: units.map((unit) => [unit, users.quotaUnits[unit]]),
  },
  {
    kind: "select",
    name: "period",
    label: users.quotaPeriod,
    options: periods.map((period) => [period, users.quotaPeriods[period]]),
  },
];

interface SetQuotaProps {
  readonly userId: number;
  readonly quota: QuotaView;
  readonly onSet: () => void;
  readonly onClose: () => void;
}

function SetQuota({ userId, quota, onSet, onClose }: SetQuotaProps) {
  const { quota: quotas } = useOperator();
  const { notices } = useApp();
  const texts = useAdminTexts();
  const set = async (read: (name: QuotaEntry) => string): Promise<void> => {
    const unit = units.find((one) => one === read("unit")) ?? "token";
    const period = periods.find((one) => one === read("period")) ?? "monthly";
    await quotas.assign({ userId, max: Number(read("max")), unit, period });
    notices.say(texts.saved);
    onSet();
    onClose();
  };
  const { allocationMax, allocationUnit, allocationPeriod } = quota;
  return (
    <DialogForm
      title={texts.users.quotaSet}
      entries={quotaEntries(texts)}
      initial={{ max: String(allocationMax), unit: allocationUnit, period: allocationPeriod }}
      submit={texts.users.quotaSet}
      onSubmit={set}
      onClose={onClose}
    />
  );
}

function Use({ quota }: { readonly quota: QuotaView }) {
  const { preferences } = useApp();
  const { users: texts } = useAdminTexts();
  const format = useFormat();
  const number = new Intl.NumberFormat(preferences.spoken.value);
  const { allocationUnit, allocationMax, allocationPeriod, messageCount, tokenCount, nextReset } = quota;
  const used = allocationUnit === "count" ? messageCount : tokenCount;
  const words = texts.quotaUsed(
    number.format(used),
    `${number.format(allocationMax)} ${texts.quotaUnits[allocationUnit]}`,
  );
  return (
    <>
      <p>
        {words}, {texts.quotaPeriods[allocationPeriod]}
      </p>
      <progress aria-label={words} max={Math.max(1, allocationMax)} value={Math.min(used, allocationMax)} />
      <p class="hint">{texts.quotaNext(format.day(nextReset))}</p>
    </>
  );
}

const columns = 30;
const dayLength = 86_400_000;
/** Width of a column and its gap, and height of the highest one. */
const [pitch, highest] = [10, 48];

/** What was used on each day, as columns. Screen readers read the days. */
function History({ days }: { readonly days: Days }) {
  const { preferences } = useApp();
  const { users: texts } = useAdminTexts();
  const number = new Intl.NumberFormat(preferences.spoken.value);
  if (days.length === 0) return <p class="hint">{texts.quotaNoDays}</p>;
  const most = Math.max(1, ...days.map(({ tokens }) => tokens));
  const last = Math.max(...days.map(({ day }) => Date.parse(day)));
  const words = days.map(({ day, replies, tokens }) =>
    texts.quotaDay(day, number.format(replies), number.format(tokens)),
  );
  return (
    <figure class="days">
      <svg viewBox={`0 0 ${columns * pitch} ${highest}`} role="img" aria-label={words.join("; ")}>
        {days.map(({ day, tokens }, place) => {
          const column = columns - 1 - Math.round((last - Date.parse(day)) / dayLength);
          const height = Math.max(2, (tokens / most) * highest);
          return (
            <rect key={day} x={column * pitch} y={highest - height} width={pitch - 2} height={height}>
              <title>{words[place]}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption class="hint">{texts.quotaDays}</figcaption>
    </figure>
  );
}

/** The quota of a user, what of it is used, and how it is set. */
export function Quota({ userId }: { readonly userId: number }) {
  const { quota: quotas } = useOperator();
  const texts = useAdminTexts();
  const quota = useFetched(() => quotas.show({ userId }), [quotas, userId]);
  const history = useFetched(() => quotas.history({ userId, days: columns }), [quotas, userId]);
  const { value } = quota;
  const again = (): void => {
    quota.load();
    history.load();
  };
  return (
    <section class="card" aria-labelledby="quota">
      <h3 id="quota">{texts.users.quota}</h3>
      <Trouble failure={quota.failure ?? history.failure} onAgain={again} />
      {value !== null && <Use quota={value} />}
      {history.value !== null && <History days={history.value} />}
      {value !== null && (
        <div class="actions">
          <Opens label={texts.users.quotaSet}>
            {(close) => <SetQuota userId={userId} quota={value} onSet={quota.load} onClose={close} />}
          </Opens>
        </div>
      )}
    </section>
  );
}
