interface SubmitButtonProps {
  readonly label: string;
  /** False if the form cannot be sent, or is being sent. */
  readonly isReady: boolean;
}

export const SubmitButton = ({ label, isReady }: SubmitButtonProps) => (
  <button type="submit" class="primary" disabled={!isReady}>
    {label}
  </button>
);
