import { useAccount } from "../app/account.ts";
import { useApp, useFormat, useTexts } from "../app/context.ts";
import { memo } from "../ui/lists/memo.ts";
import { TimeOfDay } from "../ui/lists/when.tsx";
import { isOver, type PrintedMessage } from "./state/message.ts";
import { pictureIn } from "../photo/picture.ts";
import { TextPicture } from "../ui/panes/text-picture.tsx";

/** A text as the device prints it. A picture keeps its lines, and scrolls within its frame. */
export function Print({ content }: { readonly content: string }) {
  const size = pictureIn(content);
  if (size !== null) return <TextPicture text={content} {...size} />;
  return (
    <p class="print" dir="auto">
      {content}
    </p>
  );
}

const minute = 60_000;
const sameMoment = (a: PrintedMessage, b: PrintedMessage): boolean =>
  a.direction === b.direction && Math.floor(a.at / minute) === Math.floor(b.at / minute);

/** The outcome of a text that the device did not receive, or null. The clock of the page determines when a text expires. */
function useEnd(message: PrintedMessage): "expired" | "failed" | null {
  const { now } = useApp();
  const { delivered, state, expiresAt } = message;
  if (isOver(message)) return state === "failed" ? "failed" : "expired";
  return delivered === 0 && expiresAt !== undefined && Date.parse(expiresAt) <= now.value ? "expired" : null;
}

/** The state of a text that waits for the device, and its expiry. */
function Waits({ expiresAt }: Pick<PrintedMessage, "expiresAt">) {
  const { now } = useApp();
  const texts = useTexts();
  const format = useFormat();
  if (expiresAt === undefined) return <span class="state">{texts.waitsForDevice}</span>;
  const end = Date.parse(expiresAt);
  const isToday = new Date(end).toDateString() === new Date(now.value).toDateString();
  return <span class="state">{texts.waitsUntil(isToday ? format.time(end) : format.date(end))}</span>;
}

interface StateProps {
  readonly message: PrintedMessage;
  readonly end: ReturnType<typeof useEnd>;
}

function State({ message, end }: StateProps) {
  const texts = useTexts();
  if (message.direction === "from_device") return null;
  if (end !== null) return <span class="state over">{end === "failed" ? texts.givenUp : texts.expired}</span>;
  if (message.delivered === 0) return <Waits expiresAt={message.expiresAt} />;
  return (
    <span class="done">
      <span class="unseen">{texts.delivered}</span>
    </span>
  );
}

/** The title and the urgency of a text. */
export function Subject({ title, priority }: Pick<PrintedMessage, "title" | "priority">) {
  const texts = useTexts();
  const urgency = priority === 1 || priority === 2 || priority === 4 || priority === 5 ? priority : null;
  if (title === undefined && urgency === null) return null;
  return (
    <p class="subject">
      {title !== undefined && <b dir="auto">{title}</b>} {urgency !== null && <i>{texts.priorities[urgency]}</i>}
    </p>
  );
}

interface LineProps {
  readonly message: PrintedMessage;
  readonly above: PrintedMessage | undefined;
}

function kindOf({ message, above }: LineProps): string {
  const direction = message.direction === "to_device" ? "to" : "from";
  const waits = message.direction === "to_device" && message.delivered === 0 ? " waits" : "";
  return `line ${direction}${waits}${above !== undefined && sameMoment(above, message) ? " follows" : ""}`;
}

/** The time and the direction of a text. */
export const Margin = ({ at, side }: { readonly at: number; readonly side: string }) => (
  <div class="margin">
    <TimeOfDay at={at} />
    <span class="unseen">{side}</span>
  </div>
);

function DrawnLine({ message, above }: LineProps) {
  const texts = useTexts();
  const { person } = useAccount();
  const end = useEnd(message);
  return (
    <li class={kindOf({ message, above })} data-id={message.id}>
      <Margin at={message.at} side={message.direction === "to_device" ? texts.toDevice : texts.fromDevice} />
      <div class="body">
        <Subject title={message.title} priority={message.priority} />
        <Print content={message.content} />
        {message.via !== undefined && (
          <span class="state" dir="auto">
            {texts.via(message.via.name, person.nickname)}
          </span>
        )}
        <State message={message} end={end} />
      </div>
    </li>
  );
}

/** One text on the paper. Its time is shown in the margin if it differs from that of the text above. */
export const Line = memo(DrawnLine, (a, b) => a.message === b.message && a.above === b.above);
