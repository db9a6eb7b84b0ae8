import { useTexts } from "../app/context.ts";
import { memo } from "../ui/lists/memo.ts";
import { TimeOfDay } from "../ui/lists/when.tsx";
import type { PrintedMessage } from "./state/message.ts";
import { pictureIn } from "../photo/picture.ts";
import { TextPicture } from "../ui/panes/text-picture.tsx";

/** A text as the device prints it: a picture keeps its lines, and scrolls within its frame. */
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

function State({ message }: { readonly message: PrintedMessage }) {
  const texts = useTexts();
  if (message.direction === "from_device") return null;
  if (message.delivered === 0) return <span class="state">{texts.waitsForDevice}</span>;
  return (
    <span class="done">
      <span class="unseen">{texts.delivered}</span>
    </span>
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

function DrawnLine({ message, above }: LineProps) {
  const texts = useTexts();
  return (
    <li class={kindOf({ message, above })} data-id={message.id}>
      <div class="margin">
        <TimeOfDay at={message.at} />
        <span class="unseen">{message.direction === "to_device" ? texts.toDevice : texts.fromDevice}</span>
      </div>
      <div class="body">
        <Print content={message.content} />
        <State message={message} />
      </div>
    </li>
  );
}

/** One line of the paper. Its time stands in the margin, where it is another than that of the line above. */
export const Line = memo(DrawnLine, (a, b) => a.message === b.message && a.above === b.above);
