'use client';

import * as Slot from 'radix-ui/slot';
import { useSyncExternalStore } from 'react';
import { cn } from '@/app/_components/cn';
import { useControl } from '@/app/_components/ui/field';
import { Icon } from '@/app/_components/ui/icon';
import { controlClass } from '@/app/_components/ui/input';
import type { SelectOption } from '@/app/_components/ui/select-content';
import { type LazyOverlay, useLazyOverlay } from '@/app/_components/ui/use-lazy-overlay';

const overlay: LazyOverlay<typeof import('./select-content')> = {
  load: () => import('./select-content'),
  keys: ['Enter', ' ', 'ArrowDown', 'ArrowUp'],
};

export interface SelectProps<Value extends string> {
  options: readonly SelectOption<Value>[];
  value: Value;
  onValueChange: (value: Value) => void;
  id?: string;
  name?: string;
  disabled?: boolean;
  /** `quiet`: without a border and as wide as its text, for toolbars. */
  look?: 'field' | 'quiet';
  mono?: boolean;
  className?: string;
  'aria-label'?: string;
  /** Suppresses the invalid state if the error belongs to another control. */
  'aria-invalid'?: false;
}

/**
 * A select: Radix Select with a mouse, which is loaded when it opens for the first time; the native one on touch. Values cannot be empty.
 */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { options, value, onValueChange, name, disabled, look = 'field', mono, className } = props;
  const control = useControl(props);
  const touch = useMedia('(pointer: coarse)');
  const { opened, open, triggerProps } = useLazyOverlay(overlay);
  const classes = cn(
    controlClass,
    look === 'quiet' && 'w-auto border-strong font-medium sm:h-8',
    mono && 'font-mono tracking-[-0.01em]',
    className,
  );
  const choose = (chosen: string) => {
    const option = options.find((each) => each.value === chosen);
    if (option) onValueChange(option.value);
  };
  if (touch) {
    return (
      <span className={cn('relative inline-grid', look === 'field' && 'w-full')}>
        <select
          {...control}
          name={name}
          aria-label={props['aria-label']}
          disabled={disabled}
          value={value}
          onChange={(event) => choose(event.target.value)}
          className={cn(classes, 'appearance-none pr-8 sm:pr-8')}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value} disabled={option.disabled}>
              {option.label}
            </option>
          ))}
        </select>
        <Icon
          name="chevron-down"
          small
          className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-muted"
        />
      </span>
    );
  }
  const button = (
    <button
      type="button"
      {...control}
      aria-label={props['aria-label']}
      disabled={disabled}
      className={cn('inline-flex items-center justify-between gap-2 text-left', classes)}
    >
      <span className="truncate">{options.find((each) => each.value === value)?.label}</span>
      <Icon name="chevron-down" small className="text-muted" />
    </button>
  );
  if (!opened) {
    return (
      <Slot.Root role="combobox" aria-haspopup="listbox" onClick={open} {...triggerProps}>
        {button}
      </Slot.Root>
    );
  }
  const { OpenSelect } = opened.content;
  return (
    <OpenSelect
      trigger={button}
      options={options}
      value={value}
      onValueChange={choose}
      name={name}
      disabled={disabled}
      mono={mono}
    />
  );
}

/** Whether a media query holds; false on the server and in the first render. */
function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', changed);
      return () => list.removeEventListener('change', changed);
    },
    () => window.matchMedia(query).matches,
    () => false,
  );
}
