import { useAccount, useTexts } from "../context.ts";

/** How current the page is, in words; and what can be done about it. */
export function Connection() {
  const { live } = useAccount();
  const texts = useTexts();
  const state = live.state.value;
  return (
    <div class={`connection ${state}`}>
      <span role="status">{texts[state]}</span>
      {state === "offline" && (
        <button type="button" class="link" onClick={live.check}>
          {texts.retryNow}
        </button>
      )}
    </div>
  );
}
