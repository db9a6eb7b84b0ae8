import type { KeptPrompt } from "@telex/auth-server/client";
import { useAccount } from "../../app/account.ts";
import { Danger } from "../../ui/actions/danger.tsx";
import { Opens } from "../../ui/actions/dialog-form.tsx";
import { useLoaded } from "../../ui/actions/use-loaded.ts";
import { Button } from "../../ui/forms/button.tsx";
import { ErrorText } from "../../ui/forms/error-text.tsx";
import { Dialog } from "../../ui/panes/dialog.tsx";
import { useChatTexts } from "../texts.ts";
import { longestPrompt, PromptForm, type Words } from "./prompt-form.tsx";
import "./prompts.css";
import { usePromptTexts } from "./texts.ts";

/** The prompts of the person, and functions to change them. The list is loaded again after each change. */
function usePrompts() {
  const { accounts } = useAccount();
  const { value, error, reload } = useLoaded(async () => (await accounts.prompts({})).list);
  return {
    prompts: value,
    error,
    add: async (words: Words): Promise<void> => {
      await accounts.addPrompt(words);
      await reload();
    },
    /** Does not load the list after a failure: if another page has deleted the prompt, its form and the typed text would disappear. */
    change: async (prompt: KeptPrompt): Promise<void> => {
      await accounts.changePrompt(prompt);
      await reload();
    },
    remove: async (id: string): Promise<void> => {
      try {
        await accounts.removePrompt({ id });
      } finally {
        await reload();
      }
    },
  };
}

interface RowProps extends Pick<ReturnType<typeof usePrompts>, "change" | "remove"> {
  readonly prompt: KeptPrompt;
  readonly onUse: (text: string) => void;
}

function Choices({ prompt, change, remove, onUse }: RowProps) {
  const { id, name, text } = prompt;
  const texts = usePromptTexts();
  const question = { label: texts.delete, title: texts.deleteTitle(name), lead: texts.deleteLead };
  const work = async (): Promise<string> => {
    await remove(id);
    return texts.deleted(name);
  };
  const form = { title: texts.edit, initial: prompt, save: async (words: Words) => await change({ id, ...words }) };
  return (
    <div class="choices">
      <Button class="link" aria-label={`${texts.use}: ${name}`} onClick={() => onUse(text)}>
        {texts.use}
      </Button>
      <Opens label={texts.edit} about={name} look="link">
        {(close) => <PromptForm {...form} onClose={close} />}
      </Opens>
      <Danger {...question} look="link" about={name} work={work} />
    </div>
  );
}

const Row = (props: RowProps) => (
  <li>
    <strong dir="auto">{props.prompt.name}</strong>
    <p dir="auto">{props.prompt.text}</p>
    <Choices {...props} />
  </li>
);

interface PromptsProps {
  /** The typed question. A new prompt starts with this text. */
  readonly typed: string;
  readonly onUse: (text: string) => void;
  readonly onClose: () => void;
}

/** The saved prompts. Each can be used, edited or deleted. */
export function PromptsDialog({ typed, onUse, onClose }: PromptsProps) {
  const { prompts, error, add, ...changes } = usePrompts();
  const texts = usePromptTexts();
  const title = useChatTexts().prompts;
  const initial = { name: "", text: typed.slice(0, longestPrompt) };
  const row = (prompt: KeptPrompt) => <Row key={prompt.id} {...changes} prompt={prompt} onUse={onUse} />;
  return (
    <Dialog title={title} onClose={onClose}>
      <ErrorText text={error} />
      {prompts !== null && (
        <>
          <p class="hint">{prompts.length === 0 ? texts.none : texts.lead}</p>
          <ul class="prompts">{prompts.map(row)}</ul>
          <div class="actions">
            <Opens label={texts.keep} look="primary">
              {(close) => <PromptForm title={texts.keep} initial={initial} save={add} onClose={close} />}
            </Opens>
          </div>
        </>
      )}
    </Dialog>
  );
}
