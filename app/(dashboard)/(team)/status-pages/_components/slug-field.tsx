'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Field } from '@/app/_components/ui/field';
import { Input, type InputProps } from '@/app/_components/ui/input';
import { useTRPC } from '@/app/_trpc/client';
import { Slug } from '@/server/status-pages/schema';

const pauseMs = 250;

/** Debounces a value. */
function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** Validates a slug and checks its availability while the user types. */
function useVerdict(slug: string, own: SlugFieldProps['own']): { error?: string; note: string } {
  const trpc = useTRPC();
  const settled = useSettled(slug);
  const isValid = Slug.safeParse(settled).success;
  const query = useQuery(
    trpc.statusPages.isSlugFree.queryOptions(
      { slug: settled, ...(own && { id: own.id }) },
      { enabled: isValid, staleTime: 0, placeholderData: keepPreviousData },
    ),
  );
  const parsed = Slug.safeParse(slug);
  if (slug === '') return { note: 'Lowercase letters, numbers and hyphens.' };
  if (!parsed.success) return { error: parsed.error.issues[0]?.message ?? 'Enter a valid URL path.', note: '' };
  if (slug === own?.slug || settled !== slug || query.isPlaceholderData || !query.data)
    return { note: `/status/${slug}` };
  return query.data.free
    ? { note: `/status/${slug} is available.` }
    : { error: 'This URL is already in use.', note: '' };
}

export interface SlugFieldProps extends InputProps {
  slug: string;
  /** The edited page, whose own slug counts as available. */
  own: { id: string; slug: string } | undefined;
  /** The error of the last submit. */
  error: string | undefined;
}

/** The slug of the page's URL, validated while the user types. */
export function SlugField({ slug, own, error, ...input }: SlugFieldProps) {
  const verdict = useVerdict(slug, own);
  return (
    <Field label="URL" error={error ?? verdict.error} help={<span role="status">{verdict.note}</span>}>
      <Input mono autoComplete="off" placeholder="northwind" maxLength={63} {...input} />
    </Field>
  );
}
