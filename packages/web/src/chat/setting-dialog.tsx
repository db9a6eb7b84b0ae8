import type { TargetedInputEvent } from "preact";
import { useState } from "preact/hooks";
import { useApp, useNumbers } from "../app/context.ts";
import { ErrorText } from "../ui/forms/error-text.tsx";
import { FormDialog } from "../ui/panes/form-dialog.tsx";
import { Labelled } from "../ui/forms/labelled.tsx";
import { Select } from "../ui/forms/select.tsx";
import { useChat } from "./context.ts";
import type { Setting } from "./state/commands.ts";
import { useChatTexts, useTroubleText } from "./texts.ts";

interface Typed {
  readonly model: string;
  readonly systemPrompt: string;
  readonly maxOutputTokens: string;
}

const settingOf = ({ model, systemPrompt, maxOutputTokens }: Typed): Setting => ({
  model: model === "" ? null : model,
  systemPrompt: systemPrompt.trim() === "" ? null : systemPrompt,
  maxOutputTokens: maxOutputTokens === "" ? null : Number(maxOutputTokens),
});

interface PartProps {
  readonly typed: Typed;
  readonly onTyped: (typed: Typed) => void;
}

function ModelChoice({ typed, onTyped }: PartProps) {
  const { chat } = useChat();
  const texts = useChatTexts();
  const [standard, ...others] = chat.models.value;
  const options = [
    { value: "", name: texts.standard(standard?.model ?? "") },
    ...others.map(({ model }) => ({ value: model, name: model })),
  ];
  const choose = (model: string): void => onTyped({ ...typed, model });
  return (
    <Labelled label={texts.model}>
      {(id) => <Select id={id} value={typed.model} options={options} onValue={choose} />}
    </Labelled>
  );
}

function Prompt({ typed, onTyped }: PartProps) {
  const texts = useChatTexts();
  const onInput = ({ currentTarget }: TargetedInputEvent<HTMLTextAreaElement>): void =>
    onTyped({ ...typed, systemPrompt: currentTarget.value });
  return (
    <Labelled label={texts.systemPrompt}>
      {(id) => <textarea id={id} rows={4} dir="auto" maxlength={20_000} value={typed.systemPrompt} onInput={onInput} />}
    </Labelled>
  );
}

/** The maximum number of tokens in a reply of the chosen model. */
function useMostTokens({ model: chosen }: Typed): number {
  const models = useChat().chat.models.value;
  return (models.find(({ model }) => model === chosen) ?? models[0])?.maxOutputTokens ?? 1;
}

function Length({ typed, onTyped }: PartProps) {
  const numbers = useNumbers();
  const texts = useChatTexts();
  const max = useMostTokens(typed);
  const hint = texts.maxLengthHint(numbers.format(max));
  const onInput = ({ currentTarget }: TargetedInputEvent<HTMLInputElement>): void =>
    onTyped({ ...typed, maxOutputTokens: currentTarget.value });
  const input = { type: "number", min: 1, max, value: typed.maxOutputTokens, onInput } as const;
  return (
    <Labelled label={texts.maxLength} hint={hint}>
      {(id) => <input {...input} id={id} aria-describedby={`${id}-hint`} />}
    </Labelled>
  );
}

const typedOf = ({ model, systemPrompt, maxOutputTokens }: Setting): Typed => ({
  model: model ?? "",
  systemPrompt: systemPrompt ?? "",
  maxOutputTokens: String(maxOutputTokens ?? ""),
});

/** Applies the settings. If the server rejects them, its message is shown. */
function useSetting(typed: Typed, onUsed: () => void) {
  const { chat } = useChat();
  const { notices } = useApp();
  const texts = useChatTexts();
  const [refusal, setRefusal] = useState<string | null>(null);
  const use = async (): Promise<void> => {
    const refused = await chat.set(settingOf(typed));
    setRefusal(refused);
    if (refused !== null) return;
    notices.show(texts.settingUsed);
    onUsed();
  };
  return { refusal, use };
}

/** Chooses the model, the maximum reply length and the system prompt for this connection. */
export function SettingDialog({ onClose }: { readonly onClose: () => void }) {
  const { chat } = useChat();
  const texts = useChatTexts();
  const troubleText = useTroubleText();
  const [typed, onTyped] = useState(() => typedOf(chat.setting.peek()));
  const { refusal, use } = useSetting(typed, onClose);
  const form = { title: texts.setting, lead: texts.settingLead, submit: texts.use, onClose };
  return (
    <FormDialog {...form} onSubmit={() => void use()}>
      <ModelChoice typed={typed} onTyped={onTyped} />
      <Prompt typed={typed} onTyped={onTyped} />
      <Length typed={typed} onTyped={onTyped} />
      <ErrorText text={refusal && troubleText({ kind: "refused", words: refusal })} />
    </FormDialog>
  );
}
