import { useApp } from "../app/context.ts";
import { createLazy } from "../ui/panes/lazy.tsx";

const ConfirmQuestion = createLazy(async () => (await import("./confirm-question.tsx")).ConfirmQuestion);

/** Asks the person to confirm while a call waits for it. */
export function ConfirmDialog() {
  const { confirmation } = useApp();
  const answer = confirmation.open.value;
  return answer && <ConfirmQuestion answer={answer} />;
}
