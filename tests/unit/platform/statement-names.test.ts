import { describe, expect, it } from 'vitest';
import { StatementNames } from '@/server/platform/database/statement-names';

const list = (length: number, from = 1) => Array.from({ length }, (_, index) => `$${index + from}`).join(',');

/** How many of the statements have a name; each is requested twice. */
function named(names: StatementNames, statements: string[]): number {
  const first = statements.map((sql) => names.nameOf(sql));
  expect(statements.map((sql) => names.nameOf(sql))).toEqual(first);
  const given = first.filter((name) => name !== '');
  expect(new Set(given).size).toBe(given.length);
  return given.length;
}

describe('statement names', () => {
  it('differ for different statements', () => {
    const statements = [
      'select 1',
      'select 2',
      'select * from a where x = $1',
      'select * from a where y = $1',
      'select * from a where x = $1 and y = $2',
      'select * from a where x = any($1)',
    ];
    expect(named(new StatementNames(), statements)).toBe(statements.length);
  });

  it.each<[string, (length: number) => string]>([
    ['values to be found', (length) => `SELECT id FROM a WHERE id IN (${list(length)}) LIMIT $${length + 1}`],
    ['the same with spaces', (length) => `select id from a where id in (${list(length).replaceAll(',', ', ')})`],
    ['rows', (length) => `INSERT INTO a (x,y) VALUES ${Array(length).fill('($1,$2)').join(', ')} RETURNING x`],
    ['rows with a default', (length) => `INSERT INTO a (x,y) VALUES ${Array(length).fill('($1,DEFAULT)').join(',')}`],
    ['two lists', (length) => `SELECT id FROM a WHERE x IN (${list(length)}) AND y IN (${list(length, 500)})`],
  ])('gives few statement names to lists: %s', (_, write) => {
    const names = new StatementNames();
    const statements = Array.from({ length: 100 }, (_unused, index) => write(index + 1));
    expect(named(names, statements)).toBe(4);
    expect(names.nameOf('select 1')).not.toBe('');
  });

  it('limits statement names to five hundred', () => {
    const statements = Array.from({ length: 700 }, (_, index) => `select ${index}`);
    expect(named(new StatementNames(), statements)).toBe(500);
  });

  it('gives no statement names to statements built from long lists', () => {
    expect(new StatementNames().nameOf(`SELECT id FROM a WHERE id IN (${list(9_000)})`)).toBe('');
  });
});
