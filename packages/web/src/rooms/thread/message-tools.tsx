import { useState } from "preact/hooks";
import { useAccount } from "../../app/account.ts";
import { ToolAsked, ToolCalls } from "../../ui/panes/tool-calls.tsx";
import { useRoomTexts } from "../content/texts.ts";
import type { Row } from "./rows.ts";

/** The time within which a person can allow a call, in milliseconds. */
const answerTime = 60_000;

/** The tool calls of a message. The person who asked the model can answer. */
export function MessageTools({ message }: Pick<Row, "message">) {
  const { person, server } = useAccount();
  const texts = useRoomTexts().tools;
  const [answered, setAnswered] = useState(false);
  const { userId, calls = [] } = message.tools ?? {};
  const pending = calls.find(({ state }) => state === "asked");
  const mayAnswer = !answered && userId === String(person.userId) && Date.now() - message.createTime < answerTime;
  if (pending === undefined || !mayAnswer) return <ToolCalls calls={calls} texts={texts} />;
  const answer = (allow: boolean): void => {
    setAnswered(true);
    // A failure means that the call is no longer pending. The message shows its outcome.
    server.ai.tool({ callId: pending.callId, allow }).catch(() => {});
  };
  return <ToolAsked call={pending} texts={texts} onAnswer={answer} />;
}
