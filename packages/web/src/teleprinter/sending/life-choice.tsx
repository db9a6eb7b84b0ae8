import { Labelled } from "../../ui/forms/labelled.tsx";
import { Select } from "../../ui/forms/select.tsx";
import { lifeNames } from "./delivery.ts";
import { type LifeName, useSendingTexts } from "./texts.ts";

interface ChoiceProps {
  readonly life: LifeName;
  readonly onLife: (life: LifeName) => void;
  readonly disabled?: boolean;
}

export function LifeChoice({ life, onLife, disabled = false }: ChoiceProps) {
  const texts = useSendingTexts();
  const options = lifeNames.map((value) => ({ value, name: texts.lives[value] }));
  const choose = (value: string): void => onLife(lifeNames.find((name) => name === value) ?? "endless");
  return (
    <Labelled label={texts.life}>
      {(id) => <Select id={id} value={life} options={options} onValue={choose} disabled={disabled} />}
    </Labelled>
  );
}
