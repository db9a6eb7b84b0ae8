import type { OperatorClient } from "@telex/http/client";
import { useApp, useFormat, useNumbers } from "../app/context.ts";
import { Tape } from "../ui/panes/tape.tsx";
import { formatSize } from "../uploads/size.ts";
import { useOperator } from "./parts/context.ts";
import { LastHours } from "./recent/trends.tsx";
import { Fetched, useFetched } from "./parts/fetched.tsx";
import { useAdminTexts } from "./texts/texts.ts";
import type { AdminTexts } from "./texts/type.ts";

type Status = Awaited<ReturnType<OperatorClient["server"]["status"]>>;
type Figure = readonly [name: string, value: number | string];

interface FiguresProps {
  readonly title: string;
  readonly figures: readonly Figure[];
  /** Notes below the figures. Default: none. */
  readonly notes?: readonly string[];
}

function Figures({ title, figures, notes = [] }: FiguresProps) {
  const numbers = useNumbers();
  return (
    <section>
      <h3>{title}</h3>
      <dl class="figures">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{typeof value === "number" ? numbers.format(value) : value}</dd>
          </div>
        ))}
      </dl>
      {notes.map((note) => (
        <p key={note} class="hint" dir="auto">
          {note}
        </p>
      ))}
    </section>
  );
}

interface StatusProps {
  readonly status: Status;
}

type Words = AdminTexts["status"];

const storedFigures = ({ stored }: Status, texts: Words): readonly Figure[] => [
  [texts.users, stored.users],
  [texts.groups, stored.groups],
  [texts.devices, stored.devices],
  [texts.files, stored.files],
  [texts.queued, stored.queued],
];

const currentFigures = ({ running, polls, sockets }: Status, texts: Words): readonly Figure[] => [
  [texts.running, running],
  [texts.polls, polls],
  ...Object.entries(sockets).map(([channel, open]): Figure => [texts.sockets[channel] ?? channel, open]),
];

const doneFigures = ({ calls, delivered, quotaRefusals }: Status, texts: Words): readonly Figure[] => [
  [texts.calls, calls.begun],
  [texts.refused, calls.refused],
  [texts.failed, calls.failed],
  [texts.toRooms, delivered.rooms],
  [texts.toDevices, delivered.devices],
  [texts.quotaRefusals, quotaRefusals],
];

/** The tool servers. Hidden if models have none. */
function ToolServers({ status: { tools } }: StatusProps) {
  const { status: texts } = useAdminTexts();
  if (tools.length === 0) return null;
  const figures = tools.map(({ name, state, tools: offered, leftOut }): Figure => [
    name,
    state === "ready" ? texts.toolsReady(offered, leftOut) : texts.toolStates[state],
  ]);
  const notes = tools.filter(({ failure }) => failure !== "").map(({ name, failure }) => `${name}: ${failure}`);
  return <Figures title={texts.tools} figures={figures} notes={notes} />;
}

function Process({ status: { process } }: StatusProps) {
  const { status: texts } = useAdminTexts();
  const spoken = useApp().preferences.spoken.value;
  const percent = new Intl.NumberFormat(spoken, { style: "percent", maximumFractionDigits: 1 });
  const loop = process.loopActiveMs + process.loopIdleMs;
  const figures: readonly Figure[] = [
    [texts.memory, formatSize(process.rss, spoken)],
    [texts.busy, percent.format(loop === 0 ? 0 : process.loopActiveMs / loop)],
    [texts.node, process.node],
  ];
  return <Figures title={texts.process} figures={figures} />;
}

function SlipHead({ status }: StatusProps) {
  const { status: texts } = useAdminTexts();
  const since = useFormat().date(status.startedAt);
  return (
    <header>
      <h2>{texts.title}</h2>
      <p class="hint">{texts.since(since)}</p>
    </header>
  );
}

function Slip({ status }: StatusProps) {
  const { status: texts } = useAdminTexts();
  return (
    <div class="slip-sheet paper">
      <Tape>{"   TELEX   "}</Tape>
      <SlipHead status={status} />
      <Figures title={texts.stored} figures={storedFigures(status, texts)} />
      <Figures title={texts.now} figures={currentFigures(status, texts)} />
      <Figures title={texts.done} figures={doneFigures(status, texts)} />
      <ToolServers status={status} />
      <Process status={status} />
    </div>
  );
}

/** The figures of the server, updated every few seconds while the page is visible. */
export function Overview() {
  const { server } = useOperator();
  const { now } = useApp();
  const fetched = useFetched(() => server.status({}), [server, now.value]);
  return (
    <section>
      <LastHours />
      <Fetched from={fetched}>{(status) => <Slip status={status} />}</Fetched>
    </section>
  );
}
