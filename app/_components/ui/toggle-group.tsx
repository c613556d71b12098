'use client';

export interface ToggleGroupProps<Value extends string> {
  /** The accessible name: "Range". */
  label: string;
  options: readonly { value: Value; label: string }[];
  value: Value;
  onValueChange: (value: Value) => void;
}

/** Selects a range or mode. For different views, use Tabs. */
export function ToggleGroup<Value extends string>({ label, options, value, onValueChange }: ToggleGroupProps<Value>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls; these are toggles
    <div role="group" aria-label={label} className="inline-flex gap-px rounded-2 border bg-sunken p-0.5">
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onValueChange(option.value)}
          className="num h-[34px] rounded-[4px] px-2.5 text-small font-medium text-muted hover:text-ink focus-visible:rounded-[4px] aria-pressed:bg-raised aria-pressed:text-ink aria-pressed:shadow-1 aria-pressed:ring-1 aria-pressed:ring-strong sm:h-6 sm:px-2"
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
