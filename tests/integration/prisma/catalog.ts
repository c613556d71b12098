import pg from 'pg';

/**
 * All objects of a database's `public` schema as sorted lines, except Prisma's own table and the partitions,
 * which depend on the date.
 */
export async function readCatalog(databaseUrl: string): Promise<string[]> {
  return readLines(databaseUrl, QUERIES);
}

async function readLines(databaseUrl: string, queries: string[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const lines: string[] = [];
    for (const query of queries) {
      const { rows } = await client.query<{ line: string }>(query);
      lines.push(...rows.map(({ line }) => line));
    }
    return lines.filter((line) => !line.includes('_prisma_migrations')).sort();
  } finally {
    await client.end();
  }
}

const IN_PUBLIC = "join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public' and not c.relispartition";

const QUERIES = [
  `select format('column %s.%s %s not null %s default %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
     a.attnotnull, coalesce(pg_get_expr(d.adbin, d.adrelid), '-')) as line
   from pg_attribute a join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p', 'v', 'm') ${IN_PUBLIC}
   left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum where a.attnum > 0 and not a.attisdropped`,
  `select format('constraint %s %s %s', c.relname, k.conname, pg_get_constraintdef(k.oid)) as line
   from pg_constraint k join pg_class c on c.oid = k.conrelid ${IN_PUBLIC}`,
  `select format('index %s', replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ')) as line
   from pg_index i join pg_class c on c.oid = i.indrelid ${IN_PUBLIC}`,
  `select format('enum %s %s %s', t.typname, e.enumsortorder, e.enumlabel) as line
   from pg_enum e join pg_type t on t.oid = e.enumtypid join pg_namespace n on n.oid = t.typnamespace and n.nspname = 'public'`,
  `select format('trigger %s', pg_get_triggerdef(t.oid)) as line
   from pg_trigger t join pg_class c on c.oid = t.tgrelid ${IN_PUBLIC} where not t.tgisinternal`,
  `select format('function %s', pg_get_functiondef(p.oid)) as line
   from pg_proc p join pg_namespace n on n.oid = p.pronamespace and n.nspname = 'public' where p.prokind = 'f'`,
  `select format('partitioned %s %s', c.relname, pg_get_partkeydef(c.oid)) as line
   from pg_partitioned_table p join pg_class c on c.oid = p.partrelid ${IN_PUBLIC}`,
  `select format('%s %s', case c.relkind when 'p' then 'r' else c.relkind end, c.relname) as line
   from pg_class c ${IN_PUBLIC} where c.relkind in ('r', 'v', 'm', 'S', 'p')`,
];

/**
 * What the schema language says nothing about, as sorted lines: the order of columns in a row, storage, sequences, and whether triggers, indexes and
 * row security are on.
 */
export async function readDetails(databaseUrl: string): Promise<string[]> {
  return readLines(databaseUrl, DETAILS);
}

const DETAILS = [
  `select format('place %s %s %s identity "%s" generated "%s" collation %s storage %s compression "%s" statistics %s', c.relname,
     row_number() over (partition by c.oid order by a.attnum), a.attname, a.attidentity, a.attgenerated, a.attcollation::regcollation,
     a.attstorage, a.attcompression, coalesce(a.attstattarget, -1)) as line
   from pg_attribute a join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p') ${IN_PUBLIC} where a.attnum > 0 and not a.attisdropped`,
  `select format('storage %s %s options %s persistence %s replica %s security %s %s comment %s', c.relkind, c.relname, c.reloptions,
     c.relpersistence, c.relreplident, c.relrowsecurity, c.relforcerowsecurity, obj_description(c.oid, 'pg_class')) as line from pg_class c ${IN_PUBLIC}`,
  `select format('index %s valid %s ready %s clustered %s replica %s', c.relname, i.indisvalid, i.indisready, i.indisclustered, i.indisreplident) as line
   from pg_index i join pg_class c on c.oid = i.indexrelid ${IN_PUBLIC}`,
  `select format('sequence %s %s start %s by %s min %s max %s cache %s cycle %s of %s.%s', c.relname, format_type(s.seqtypid, null), s.seqstart,
     s.seqincrement, s.seqmin, s.seqmax, s.seqcache, s.seqcycle, d.refobjid::regclass, a.attname) as line
   from pg_sequence s join pg_class c on c.oid = s.seqrelid ${IN_PUBLIC}
   left join pg_depend d on d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')
   left join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid`,
  `select format('enabled %s %s %s', c.relname, t.tgname, t.tgenabled) as line
   from pg_trigger t join pg_class c on c.oid = t.tgrelid ${IN_PUBLIC} where not t.tgisinternal`,
  `select format('extension %s', extname) as line from pg_extension`,
];
