'use client';

export interface RadioGroupProps<Value extends string> {
  /** The accessible name: "Monitor type". */
  legend: string;
  name: string;
  options: readonly { value: Value; label: string; note: string }[];
  value: Value;
  onValueChange: (value: Value) => void;
  /** Called when an option was clicked, or confirmed by Enter: arrow keys only move through the options. */
  onChosen?: () => void;
}

/** A radio group as a grid of cells; native radios, so arrow keys work. */
export function RadioGroup<Value extends string>({
  legend,
  name,
  options,
  value,
  onValueChange,
  onChosen,
}: RadioGroupProps<Value>) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 font-medium">{legend}</legend>
      <div className="flex flex-wrap gap-px overflow-hidden rounded-3 border bg-border">
        {options.map((option) => (
          <label
            key={option.value}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.metaKey || event.ctrlKey || !onChosen) return;
              event.preventDefault();
              onChosen();
            }}
            onClick={({ target }) => {
              // Keys click the input itself. Selects the option too, because the input may be removed before the click reaches it.
              if (!onChosen || target instanceof HTMLInputElement) return;
              onValueChange(option.value);
              onChosen();
            }}
            data-fours={options.length % 4 === 0 || undefined}
            className="relative grid flex-[1_1_40%] content-start cursor-pointer sm:flex-[1_1_140px] sm:data-fours:flex-[1_1_22%] gap-px bg-surface px-3 py-2.5 hover:bg-hover has-checked:bg-accent-subtle has-checked:shadow-[inset_0_0_0_1.5px_var(--accent)] has-focus-visible:outline-2 has-focus-visible:-outline-offset-4 has-focus-visible:outline-focus"
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onValueChange(option.value)}
              className="pointer-events-none absolute inset-0 opacity-0"
            />
            <b className="font-medium">{option.label}</b>
            <span className="text-small text-muted">{option.note}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
