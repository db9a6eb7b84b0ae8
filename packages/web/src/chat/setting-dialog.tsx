import { useId, useState } from "preact/hooks";
import { useApp } from "../context.ts";
import { Dialog } from "../ui/dialog.tsx";
import { FormActions } from "../ui/form-actions.tsx";
import { useChat } from "./context.ts";
import type { Setting } from "./line.ts";
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
  const id = useId();
  const [standard, ...others] = chat.models.value;
  return (
    <div class="field">
      <label for={id}>{texts.model}</label>
      <select
        id={id}
        value={typed.model}
        onChange={({ currentTarget }) => onTyped({ ...typed, model: currentTarget.value })}
      >
        <option value="">{texts.standard(standard?.model ?? "")}</option>
        {others.map(({ model }) => (
          <option key={model} value={model}>
            {model}
          </option>
        ))}
      </select>
    </div>
  );
}

function Prompt({ typed, onTyped }: PartProps) {
  const texts = useChatTexts();
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{texts.systemPrompt}</label>
      <textarea
        id={id}
        rows={4}
        dir="auto"
        maxlength={20_000}
        value={typed.systemPrompt}
        onInput={({ currentTarget }) => onTyped({ ...typed, systemPrompt: currentTarget.value })}
      />
    </div>
  );
}

function Length({ typed, onTyped }: PartProps) {
  const { chat } = useChat();
  const { preferences } = useApp();
  const texts = useChatTexts();
  const id = useId();
  const models = chat.models.value;
  const max = (models.find(({ model }) => model === typed.model) ?? models[0])?.maxOutputTokens ?? 1;
  return (
    <div class="field">
      <label for={id}>{texts.maxLength}</label>
      <input
        id={id}
        type="number"
        min={1}
        max={max}
        aria-describedby={`${id}-hint`}
        value={typed.maxOutputTokens}
        onInput={({ currentTarget }) => onTyped({ ...typed, maxOutputTokens: currentTarget.value })}
      />
      <p class="hint" id={`${id}-hint`}>
        {texts.maxLengthHint(new Intl.NumberFormat(preferences.spoken.value).format(max))}
      </p>
    </div>
  );
}

/** Which model answers on this connection, how long at most, and what it is told beforehand. */
export function SettingDialog({ onClose }: { readonly onClose: () => void }) {
  const { chat } = useChat();
  const { notices } = useApp();
  const texts = useChatTexts();
  const troubleText = useTroubleText();
  const current = chat.setting.peek();
  const [refusal, setRefusal] = useState<string | null>(null);
  const [typed, onTyped] = useState<Typed>({
    model: current.model ?? "",
    systemPrompt: current.systemPrompt ?? "",
    maxOutputTokens: String(current.maxOutputTokens ?? ""),
  });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const refused = await chat.set(settingOf(typed));
    setRefusal(refused);
    if (refused !== null) return;
    notices.say(texts.settingUsed);
    onClose();
  };
  return (
    <Dialog title={texts.setting} onClose={onClose}>
      <p>{texts.settingLead}</p>
      <form onSubmit={(event) => void submit(event)}>
        <ModelChoice typed={typed} onTyped={onTyped} />
        <Prompt typed={typed} onTyped={onTyped} />
        <Length typed={typed} onTyped={onTyped} />
        {refusal !== null && (
          <p class="error" role="alert">
            {troubleText({ kind: "refused", words: refusal })}
          </p>
        )}
        <FormActions submit={texts.use} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
