'use client';

import { useEffect, useRef, useState } from 'react';
import { Icon } from '@/app/_components/ui/icon';
import { Input } from '@/app/_components/ui/input';
import { Kbd } from '@/app/_components/ui/kbd';

const waitMs = 250;

/** The search field of the list, debounced. "/" focuses it, Escape clears it. */
export function SearchBox({
  label,
  placeholder,
  value,
  onSearch,
  inputRef,
}: {
  /** The accessible name: "Search monitors". */
  label: string;
  placeholder: string;
  value: string;
  onSearch: (text: string) => void;
  inputRef: React.Ref<HTMLInputElement>;
}) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  // The URL changed elsewhere (back button, cleared filter), so update the field.
  if (known !== value) {
    setKnown(value);
    if (text.trim() !== value) setText(value);
  }
  const search = useRef(onSearch);
  search.current = onSearch;
  useEffect(() => {
    if (text.trim() === value) return;
    const timer = setTimeout(() => search.current(text.trim()), waitMs);
    return () => clearTimeout(timer);
  }, [text, value]);
  return (
    <search className="relative max-w-[420px] min-w-0 flex-[1_1_260px] lg:flex-[1_1_190px]">
      <Icon name="search" className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-faint" />
      <Input
        ref={inputRef}
        type="search"
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={placeholder}
        value={text}
        maxLength={200}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && setText('')}
        className="border-strong pr-9 pl-8 [&::-webkit-search-cancel-button]:appearance-none sm:pr-9 sm:pl-8"
      />
      {text === '' ? (
        <span
          aria-hidden="true"
          className="absolute top-1/2 right-2 -translate-y-1/2 max-sm:hidden pointer-coarse:hidden"
        >
          <Kbd>/</Kbd>
        </span>
      ) : null}
    </search>
  );
}
