interface SubmitButtonProps {
  readonly label: string;
  /** False while the form cannot be sent, or is being sent. */
  readonly isReady: boolean;
}

/** The button that sends a form. */
export const SubmitButton = ({ label, isReady }: SubmitButtonProps) => (
  <button type="submit" class="primary" disabled={!isReady}>
    {label}
  </button>
);
