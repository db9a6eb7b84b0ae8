import { Actions } from "../lists/actions.tsx";

/** A tool call from the server. */
interface ToolCall {
  readonly callId: string;
  readonly server: string;
  readonly tool: string;
  readonly arguments: string;
  readonly state: "asked" | "refused" | "called" | "failed" | "done";
  readonly result: string;
}

/** The texts about tool calls. */
export interface ToolTexts {
  readonly state: Readonly<Record<ToolCall["state"], string>>;
  readonly mayCall: (tool: string) => string;
  readonly allow: string;
  readonly refuse: string;
}

/** The tool calls of a message, collapsed. */
export const ToolCalls = ({ calls, texts }: { readonly calls: readonly ToolCall[]; readonly texts: ToolTexts }) => (
  <>
    {calls.map((call) => (
      <details key={call.callId} class="tool-call">
        <summary>
          {call.server}.{call.tool} · {texts.state[call.state]}
        </summary>
        <pre dir="auto">{call.arguments}</pre>
        {call.result !== "" && <pre dir="auto">{call.result}</pre>}
      </details>
    ))}
  </>
);

interface AskedProps {
  readonly call: Pick<ToolCall, "server" | "tool" | "arguments">;
  readonly texts: ToolTexts;
  readonly onAnswer: (allow: boolean) => void;
}

/** Asks for permission for a tool call. All its arguments are shown. */
export const ToolAsked = ({ call, texts, onAnswer }: AskedProps) => (
  <div class="tool-asked" role="alert">
    <p>{texts.mayCall(`${call.server}.${call.tool}`)}</p>
    <pre dir="auto">{call.arguments}</pre>
    <Actions
      actions={[
        { name: texts.allow, onChoose: () => onAnswer(true) },
        { name: texts.refuse, onChoose: () => onAnswer(false) },
      ]}
    />
  </div>
);
