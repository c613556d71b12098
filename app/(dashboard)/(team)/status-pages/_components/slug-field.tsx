'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Field } from '@/app/_components/ui/field';
import { Input, type InputProps } from '@/app/_components/ui/input';
import { useTRPC } from '@/app/_trpc/client';
import { Slug } from '@/server/status-pages/schema';

const pauseMs = 250;

/** A value once it has not changed for a moment. */
function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** What is known of a slug while somebody types it. */
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
  if (slug === '') return { note: 'Lower case letters, digits and hyphens.' };
  if (!parsed.success) return { error: parsed.error.issues[0]?.message ?? 'This cannot be an address.', note: '' };
  if (slug === own?.slug || settled !== slug || query.isPlaceholderData || !query.data)
    return { note: `/status/${slug}` };
  return query.data.free
    ? { note: `/status/${slug} is free.` }
    : { error: 'Another status page has this address.', note: '' };
}

export interface SlugFieldProps extends InputProps {
  slug: string;
  /** The page whose own slug is no other's. */
  own: { id: string; slug: string } | undefined;
  /** What is wrong with it since it was last sent. */
  error: string | undefined;
}

/** The page's address, checked while it is typed. */
export function SlugField({ slug, own, error, ...input }: SlugFieldProps) {
  const verdict = useVerdict(slug, own);
  return (
    <Field label="Address" error={error ?? verdict.error} help={<span role="status">{verdict.note}</span>}>
      <Input mono autoComplete="off" placeholder="northwind" maxLength={63} {...input} />
    </Field>
  );
}
