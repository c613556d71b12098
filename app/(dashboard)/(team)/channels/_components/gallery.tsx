'use client';

import Link from 'next/link';
import { useState } from 'react';
import { formatCount } from '@/app/_components/format';
import { linkClass, PageHead, Section } from '@/app/_components/page';
import { Empty } from '@/app/_components/ui/empty';
import { Icon } from '@/app/_components/ui/icon';
import { Input } from '@/app/_components/ui/input';
import { Tag } from '@/app/_components/ui/tag';
import { ToggleGroup } from '@/app/_components/ui/toggle-group';
import {
  type ChannelCategory,
  type ChannelType,
  channelDefinitionOf,
  channelTypes,
} from '@/server/notifications/schema';
import { ChannelMark } from './channel-mark';

const categories: { value: ChannelCategory; label: string }[] = [
  { value: 'chat', label: 'Chat' },
  { value: 'email-and-phone', label: 'Email and phone' },
  { value: 'paging', label: 'Paging' },
  { value: 'automation', label: 'Automation' },
];

/** Whether a kind matches a search text by its name, what it needs, or its category. */
function isFound(type: ChannelType, text: string): boolean {
  const { label, summary, category } = channelDefinitionOf(type);
  const words =
    `${label} ${type} ${summary} ${categories.find(({ value }) => value === category)?.label}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word));
}

/** All channel kinds by category, with a search. `inUse` is the number of the team's channels of each kind. */
export function Gallery({ inUse }: { inUse: Partial<Record<ChannelType, number>> }) {
  const [text, setText] = useState('');
  const [category, setCategory] = useState<ChannelCategory | 'all'>('all');
  const found = channelTypes.filter((type) => isFound(type, text));
  const groups = categories
    .filter(({ value }) => category === 'all' || category === value)
    .map((group) => ({
      ...group,
      types: found.filter((type) => channelDefinitionOf(type).category === group.value),
    }))
    .filter(({ types }) => types.length > 0);
  return (
    <>
      <PageHead title="New channel" />
      <p className="-mt-3 mb-4 text-muted">Choose where alerts go. You can send a test before you save.</p>
      <div className="mb-5 flex flex-wrap items-center gap-2">
        <div className="relative w-full sm:w-72">
          <Icon name="search" small className="absolute top-1/2 left-3 -translate-y-1/2 text-faint" />
          <Input
            type="search"
            className="pl-9 sm:pl-8"
            placeholder={`Search ${channelTypes.length} channel types`}
            aria-label="Search channel types"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
        <div className="max-w-full overflow-x-auto [scrollbar-width:none]">
          <ToggleGroup
            label="Category"
            options={[{ value: 'all', label: 'All' }, ...categories]}
            value={category}
            onValueChange={setCategory}
          />
        </div>
      </div>
      {groups.map(({ value, label, types }) => (
        <Section key={value} title={label} note={formatCount(types.length)} className="mt-6">
          <ul className="gallery">
            {types.map((type) => (
              <li key={type}>
                <Pick type={type} count={inUse[type] ?? 0} />
              </li>
            ))}
          </ul>
        </Section>
      ))}
      {groups.length === 0 ? (
        <Empty title="No channel type found">Try another word, or create a custom request.</Empty>
      ) : null}
      <p className="mt-4 text-muted">
        Not listed?{' '}
        <Link href="/channels/new?type=custom" className={linkClass}>
          Create a custom request
        </Link>{' '}
        with your own URL and body.
      </p>
    </>
  );
}

function Pick({ type, count }: { type: ChannelType; count: number }) {
  const { label, summary } = channelDefinitionOf(type);
  return (
    <Link
      href={`/channels/new?type=${type}`}
      className="flex h-full min-h-[60px] items-center gap-3 bg-surface px-3.5 py-2.5 hover:bg-hover focus-inset"
    >
      <ChannelMark type={type} />
      <span className="grid min-w-0 grow">
        <span className="font-medium">{label}</span>
        <span className="text-small text-muted">{summary}</span>
      </span>
      {count > 0 ? <Tag>{formatCount(count)} in use</Tag> : null}
    </Link>
  );
}
