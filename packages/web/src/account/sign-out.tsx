import { useApp, useTexts } from "../app/context.ts";
import { Button } from "../ui/forms/button.tsx";

/** Signs out, in every tab. */
export function SignOut() {
  const { session } = useApp();
  const texts = useTexts();
  return <Button onClick={session.signOut}>{texts.signOut}</Button>;
}
