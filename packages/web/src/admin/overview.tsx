import type { OperatorClient } from "@telex/http/client";
import { useEffect } from "preact/hooks";
import { useApp, useFormat } from "../context.ts";
import { Tape } from "../ui/tape.tsx";
import { formatSize } from "../uploads/size.ts";
import { useOperator } from "./context.ts";
import { Trouble, useFetched } from "./list.tsx";
import { useAdminTexts } from "./texts.ts";

type Status = Awaited<ReturnType<OperatorClient["server"]["status"]>>;
type Figure = readonly [name: string, value: number | string];

function Figures({ title, figures }: { readonly title: string; readonly figures: readonly Figure[] }) {
  const { preferences } = useApp();
  const number = new Intl.NumberFormat(preferences.spoken.value);
  return (
    <section>
      <h3>{title}</h3>
      <dl class="figures">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{typeof value === "number" ? number.format(value) : value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Slip({ status }: { readonly status: Status }) {
  const { preferences } = useApp();
  const format = useFormat();
  const { status: texts } = useAdminTexts();
  const { stored, calls, delivered, process, sockets } = status;
  const spoken = preferences.spoken.value;
  const percent = new Intl.NumberFormat(spoken, { style: "percent", maximumFractionDigits: 1 });
  const loop = process.loopActiveMs + process.loopIdleMs;
  return (
    <div class="slip-sheet paper">
      <Tape>{"   TELEX   "}</Tape>
      <header>
        <h2>{texts.title}</h2>
        <p class="hint">{texts.since(format.date(status.startedAt))}</p>
      </header>
      <Figures
        title={texts.stored}
        figures={[
          [texts.users, stored.users],
          [texts.groups, stored.groups],
          [texts.devices, stored.devices],
          [texts.files, stored.files],
          [texts.queued, stored.queued],
        ]}
      />
      <Figures
        title={texts.now}
        figures={[
          [texts.running, status.running],
          [texts.polls, status.polls],
          ...Object.entries(sockets).map(([channel, open]): Figure => [texts.sockets[channel] ?? channel, open]),
        ]}
      />
      <Figures
        title={texts.done}
        figures={[
          [texts.calls, calls.begun],
          [texts.refused, calls.refused],
          [texts.failed, calls.failed],
          [texts.toRooms, delivered.rooms],
          [texts.toDevices, delivered.devices],
          [texts.quotaRefusals, status.quotaRefusals],
        ]}
      />
      <Figures
        title={texts.process}
        figures={[
          [texts.memory, formatSize(process.rss, spoken)],
          [texts.busy, percent.format(loop === 0 ? 0 : process.loopActiveMs / loop)],
          [texts.node, process.node],
        ]}
      />
    </div>
  );
}

/** What the server has stored and done, printed again every few seconds while the page is seen. */
export function Overview() {
  const { server } = useOperator();
  const { now } = useApp();
  const texts = useAdminTexts();
  const { value, failure, load } = useFetched(() => server.status({}), [server]);
  useEffect(load, [now.value]);
  return (
    <section>
      <Trouble failure={failure} onAgain={load} />
      {value === null && failure === null && <p class="quiet">{texts.loading}</p>}
      {value !== null && <Slip status={value} />}
    </section>
  );
}
