export interface SelectOption {
  readonly value: string | number;
  readonly name: string | number;
}

interface SelectProps {
  readonly id?: string;
  readonly name?: string;
  readonly "aria-label"?: string;
  readonly "aria-describedby"?: string | undefined;
  readonly value: string | number;
  readonly options: readonly SelectOption[];
  readonly onValue: (value: string) => void;
  readonly disabled?: boolean;
}

export const Select = ({ options, onValue, ...attributes }: SelectProps) => (
  <select {...attributes} onChange={({ currentTarget }) => onValue(currentTarget.value)}>
    {options.map(({ value, name }) => (
      <option key={value} value={value}>
        {name}
      </option>
    ))}
  </select>
);
