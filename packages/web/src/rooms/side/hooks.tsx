import { useState } from "preact/hooks";
import { useAccount } from "../../app/account.ts";
import { Danger } from "../../ui/actions/danger.tsx";
import { Form } from "../../ui/actions/form.tsx";
import { Command } from "../../ui/forms/command.tsx";
import { ErrorText } from "../../ui/forms/error-text.tsx";
import type { RoomView } from "../content/api.ts";
import { useSideTexts } from "../content/side-texts.ts";
import { useLoaded } from "../../ui/actions/use-loaded.ts";

interface HookRowProps {
  readonly name: string;
  readonly onEnd: () => Promise<void>;
}

function HookRow({ name, onEnd }: HookRowProps) {
  const texts = useSideTexts();
  const end = async (): Promise<string> => {
    await onEnd();
    return texts.hookEnded(name);
  };
  const question = { label: texts.endHook, title: texts.endHookTitle(name), lead: texts.endHookLead };
  return (
    <li>
      <b dir="auto">{name}</b> <Danger look="link" about={name} {...question} work={end} />
    </li>
  );
}

/** Creates and removes the hooks of a room. The address of a new hook is shown once. */
export function Hooks({ view: { groupId, archived } }: { readonly view: RoomView }) {
  const { hooks } = useAccount().accounts;
  const texts = useSideTexts();
  const { value, error, reload } = useLoaded(async () => (await hooks.hooks({ groupId })).list);
  const [made, setMade] = useState<{ readonly name: string; readonly url: string } | null>(null);
  const make = async (read: (name: "name") => string): Promise<null> => {
    const name = read("name").trim();
    const { url } = await hooks.hook({ groupId, name });
    setMade({ name, url: new URL(url, location.href).href });
    await reload();
    return null;
  };
  const end = async (id: string): Promise<void> => {
    await hooks.revokeHook({ groupId, id });
    await reload();
  };
  const entries = { name: { label: texts.hookName, hint: texts.hookNameHint, input: { maxlength: 64 } } } as const;
  return (
    <>
      <h3>{texts.hooks}</h3>
      <p class="hint">{texts.hooksLead}</p>
      <ErrorText text={error} />
      <ul class="names">
        {value?.map(({ id, name }) => (
          <HookRow key={id} name={name} onEnd={() => end(id)} />
        ))}
      </ul>
      {made !== null && (
        <div role="status">
          <p>{texts.hookOnce(made.name)}</p>
          <Command>{made.url}</Command>
        </div>
      )}
      {!archived && <Form entries={entries} submit={texts.makeHook} onSubmit={make} />}
    </>
  );
}
