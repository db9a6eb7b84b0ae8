import type { TargetedInputEvent } from "preact";
import { useState } from "preact/hooks";
import { useTexts } from "../../app/context.ts";
import { useAction } from "../../ui/actions/use-action.ts";
import { ErrorText } from "../../ui/forms/error-text.tsx";
import { Field } from "../../ui/forms/field.tsx";
import { Labelled } from "../../ui/forms/labelled.tsx";
import { FormDialog } from "../../ui/panes/form-dialog.tsx";
import { usePromptTexts } from "./texts.ts";

export interface Words {
  readonly name: string;
  readonly text: string;
}

/** The maximum length of a prompt, in UTF-16 units. */
export const longestPrompt = 4000;

interface TextProps {
  readonly value: string;
  readonly error: string | null;
  readonly onValue: (text: string) => void;
}

function Text({ value, error, onValue }: TextProps) {
  const texts = usePromptTexts();
  const onInput = ({ currentTarget }: TargetedInputEvent<HTMLTextAreaElement>): void => onValue(currentTarget.value);
  const box = { rows: 6, dir: "auto", maxlength: longestPrompt, required: true, value, onInput } as const;
  return (
    <Labelled label={texts.text} error={error}>
      {(id) => <textarea {...box} id={id} />}
    </Labelled>
  );
}

interface FormProps {
  readonly title: string;
  readonly initial: Words;
  readonly save: (words: Words) => Promise<void>;
  readonly onClose: () => void;
}

/** A form for the name and the text of a prompt. If the server rejects them, they stay in the form. */
export function PromptForm({ title, initial, save, onClose }: FormProps) {
  const texts = usePromptTexts();
  const submit = useTexts().save;
  const [words, setWords] = useState(initial);
  const { busy, text, errorOf, run } = useAction(["name", "text"]);
  const send = async (): Promise<string> => {
    await save(words);
    onClose();
    return texts.kept(words.name);
  };
  const name = { value: words.name, error: errorOf("name"), onValue: (to: string) => setWords({ ...words, name: to }) };
  return (
    <FormDialog {...{ title, submit, busy, onClose }} onSubmit={() => run(send)}>
      <Field {...name} label={texts.name} first input={{ maxlength: 64, autocomplete: "off" }} />
      <Text value={words.text} error={errorOf("text")} onValue={(to) => setWords({ ...words, text: to })} />
      <ErrorText text={text} />
    </FormDialog>
  );
}
