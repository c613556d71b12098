'use client';

import { useState } from 'react';
import { cn } from '@/app/_components/cn';
import { useControl } from '@/app/_components/ui/field';
import { Icon } from '@/app/_components/ui/icon';
import { controlClass } from '@/app/_components/ui/input';

export interface TagInputProps {
  value: string[];
  onValueChange: (tags: string[]) => void;
  onBlur?: () => void;
  placeholder?: string;
}

/** A tag field: Enter, comma or blur adds the typed text, Backspace removes the last tag. */
export function TagInput({ value, onValueChange, onBlur, placeholder = 'Add' }: TagInputProps) {
  const control = useControl({});
  const [text, setText] = useState('');
  const add = () => {
    const words = text.split(',').map((word) => word.trim().toLowerCase());
    const tags = [...new Set([...value, ...words.filter((word) => word !== '')])];
    if (tags.length > value.length) onValueChange(tags);
    setText('');
  };
  return (
    <div
      className={cn(
        controlClass,
        'flex h-auto min-h-10 flex-wrap items-center gap-1 py-1 pl-1.5 has-focus-visible:border-focus has-focus-visible:outline-2 has-focus-visible:outline-offset-[-1px] has-focus-visible:outline-focus sm:h-auto sm:min-h-[34px] sm:pl-1.5',
        control['aria-invalid'] && 'border-down-solid ring-1 ring-down-solid ring-inset',
      )}
    >
      {value.map((tag) => (
        <span key={tag} className="inline-flex h-6 items-center rounded-1 bg-sunken pl-1.5 text-small text-muted">
          {tag}
          <button
            type="button"
            aria-label={`Remove ${tag}`}
            onClick={() => onValueChange(value.filter((each) => each !== tag))}
            className="grid size-6 place-items-center hover:text-ink focus-inset"
          >
            <Icon name="x" className="size-3" />
          </button>
        </span>
      ))}
      <input
        {...control}
        value={text}
        maxLength={200}
        placeholder={value.length === 0 ? placeholder : undefined}
        autoCapitalize="none"
        onChange={(event) => setText(event.target.value)}
        onBlur={() => {
          add();
          onBlur?.();
        }}
        onKeyDown={(event) => {
          if ((event.key === 'Enter' && text.trim() !== '') || event.key === ',') {
            event.preventDefault();
            add();
          }
          if (event.key === 'Backspace' && text === '') onValueChange(value.slice(0, -1));
        }}
        className="min-w-16 flex-1 bg-transparent px-1 outline-none focus-visible:outline-none"
      />
    </div>
  );
}
