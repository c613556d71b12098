import { RelativeTime } from '@/app/_components/time/time';
import { Button } from '@/app/_components/ui/button';
import { Cell, ColumnHead, Row, Table, TableBody, TableHead } from '@/app/_components/ui/table';
import { Tag } from '@/app/_components/ui/tag';
import type { AgentToken } from '@/server/agents/schema';

export interface TokensTableProps {
  tokens: AgentToken[];
  /** Null without the permission to revoke. */
  onRevoke: ((token: AgentToken) => void) | null;
}

/** The list of agent tokens: name, region, prefix, creator and last use. */
export function TokensTable({ tokens, onRevoke }: TokensTableProps) {
  return (
    <Table
      label="Agent tokens"
      className="lg:[--cols:minmax(0,1.2fr)_minmax(0,1fr)_112px_minmax(0,1fr)_110px_80px] lg:[&_.row]:px-2"
    >
      <TableHead>
        <ColumnHead>Name</ColumnHead>
        <ColumnHead>Region</ColumnHead>
        <ColumnHead>Prefix</ColumnHead>
        <ColumnHead>Created by</ColumnHead>
        <ColumnHead>Last used</ColumnHead>
        <ColumnHead hidden>Revoke</ColumnHead>
      </TableHead>
      <TableBody>
        {tokens.map((token) => (
          <Row key={token.id} className="max-lg:gap-y-1">
            <Cell className="truncate font-medium max-lg:text-body">{token.name}</Cell>
            <Cell className="max-lg:text-right">
              <Tag>{token.region}</Tag>
            </Cell>
            <Cell className="font-mono text-small text-faint">{token.prefix}…</Cell>
            <Cell className="truncate text-muted max-lg:text-right">
              {token.createdBy ? (token.createdBy.name ?? token.createdBy.email) : 'Deleted account'}
            </Cell>
            <Cell className="text-small text-muted">
              <span className="lg:hidden">Last used: </span>
              {token.lastUsedAt ? <RelativeTime at={token.lastUsedAt} /> : 'Never'}
            </Cell>
            <Cell className="text-right">
              {onRevoke ? (
                <Button size="small" onClick={() => onRevoke(token)} aria-label={`Revoke ${token.name}`}>
                  Revoke
                </Button>
              ) : null}
            </Cell>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}
