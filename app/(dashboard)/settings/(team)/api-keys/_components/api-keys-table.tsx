'use client';

import { RelativeTime, Timestamp, useClockText } from '@/app/_components/time/time';
import { Button } from '@/app/_components/ui/button';
import { Cell, ColumnHead, Row, Table, TableBody, TableHead } from '@/app/_components/ui/table';
import { Tag } from '@/app/_components/ui/tag';
import type { ApiKey } from '@/server/api-keys/schema';

export interface ApiKeysTableProps {
  keys: ApiKey[];
  userId: string;
  onRevoke: (key: ApiKey) => void;
}

/** The list of API keys: name, prefix, scopes, networks, creator, last use and expiry. */
export function ApiKeysTable({ keys, userId, onRevoke }: ApiKeysTableProps) {
  return (
    <Table
      label="API keys"
      className="lg:[--cols:minmax(0,1.2fr)_104px_minmax(112px,1fr)_minmax(0,1fr)_96px_110px_80px] lg:[&_.row]:px-2"
    >
      <TableHead>
        <ColumnHead>Name</ColumnHead>
        <ColumnHead>Prefix</ColumnHead>
        <ColumnHead>Scopes</ColumnHead>
        <ColumnHead>Created by</ColumnHead>
        <ColumnHead>Last used</ColumnHead>
        <ColumnHead>Expires</ColumnHead>
        <ColumnHead hidden>Revoke</ColumnHead>
      </TableHead>
      <TableBody>
        {keys.map((key) => (
          <Row key={key.id} className="max-lg:gap-y-1">
            <Cell className="truncate font-medium max-lg:text-body">{key.name}</Cell>
            <Cell className="font-mono text-small text-faint max-lg:text-right">{key.prefix}…</Cell>
            <Cell className="flex flex-wrap items-center gap-1">
              {key.scopes.map((scope) => (
                <Tag key={scope}>{scope}</Tag>
              ))}
              {key.allowedNetworks.length > 0 ? (
                <span className="min-w-0 text-small text-muted [overflow-wrap:anywhere]">
                  from {key.allowedNetworks.join(', ')}
                </span>
              ) : null}
            </Cell>
            <Cell className="truncate text-muted max-lg:text-right">
              {key.createdBy.id === userId ? 'You' : (key.createdBy.name ?? key.createdBy.email)}
            </Cell>
            <Cell className="text-small text-muted">
              <span className="lg:hidden">Last used: </span>
              {key.lastUsedAt ? <RelativeTime at={key.lastUsedAt} /> : 'Never'}
            </Cell>
            <Cell className="text-small text-muted max-lg:text-right">
              <Expiry at={key.expiresAt} />
            </Cell>
            <Cell className="max-lg:col-span-2 lg:text-right">
              <Button size="small" onClick={() => onRevoke(key)} aria-label={`Revoke ${key.name}`}>
                Revoke
              </Button>
            </Cell>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}

function Expiry({ at }: { at: string | null }) {
  const tense = useClockText((now) => (at !== null && Date.parse(at) <= now ? 'Expired' : 'Expires'));
  if (at === null) return <>Never expires</>;
  return (
    <>
      <span className={tense === 'Expired' ? 'text-down-fg' : 'lg:hidden'}>{tense} </span>
      <Timestamp at={at} />
    </>
  );
}
