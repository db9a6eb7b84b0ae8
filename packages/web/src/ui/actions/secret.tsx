import type { ComponentProps } from "preact";
import { useState } from "preact/hooks";
import { Command } from "../forms/command.tsx";
import { Dialog } from "../panes/dialog.tsx";
import type { Read } from "./form.tsx";
import { DialogForm } from "./dialog-form.tsx";

interface SecretFormProps<N extends string> extends Omit<ComponentProps<typeof DialogForm<N>>, "onSubmit"> {
  /** The heading and the lead above the secret. */
  readonly shown: { readonly title: string; readonly lead: string };
  /** Resolves with the secret, or null if the server issued none. */
  readonly issue: (read: Read<N>) => Promise<string | null>;
}

/** A form that creates a secret, which is shown once. */
export function SecretForm<N extends string>({ shown, issue, ...form }: SecretFormProps<N>) {
  const [secret, setSecret] = useState<string | null>(null);
  const submit = async (read: Read<N>): Promise<string | null> => {
    const issued = await issue(read);
    setSecret(issued);
    return issued === null ? shown.title : null;
  };
  if (secret === null) return <DialogForm {...form} onSubmit={submit} />;
  return (
    <Dialog title={shown.title} onClose={form.onClose} isKept>
      <p>{shown.lead}</p>
      <Command>{secret}</Command>
    </Dialog>
  );
}
