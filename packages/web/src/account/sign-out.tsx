import { useApp, useTexts } from "../app/context.ts";
import { Button } from "../ui/forms/button.tsx";

/** Signs out in all tabs. */
export function SignOut() {
  const { session, notices } = useApp();
  const texts = useTexts();
  const leave = async (): Promise<void> => {
    const problem = await session.signOut();
    if (problem !== null) notices.show(texts.problem[problem]);
  };
  return <Button onClick={() => void leave()}>{texts.signOut}</Button>;
}
