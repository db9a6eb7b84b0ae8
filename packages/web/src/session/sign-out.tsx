import { useApp, useTexts } from "../context.ts";

/** Signs out, in every tab. */
export function SignOut() {
  const { session } = useApp();
  const texts = useTexts();
  return (
    <button type="button" onClick={session.signOut}>
      {texts.signOut}
    </button>
  );
}
