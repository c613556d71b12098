/** What each path and query parameter is; a name means the same in every operation. */
export const parameterDocs: Record<string, string> = {
  id: 'The id of what the address is about, as its list gives it.',
  exclusionId: 'The id of the exclusion.',
  userId: "The person's id.",
  token: "The token in the invitation's link.",
  externalId: 'Your own name for the monitor, percent-encoded; unique in the team.',
  limit: 'How many things the page has at most.',
  cursor: 'The `nextCursor` of the page before; left out for the first page.',
  range: 'How far back it goes; it ends now.',
  status: 'Only those with this status.',
  search: 'Only those in whose name, address or tags this text is.',
  monitorId: 'Only those of this monitor.',
  action: 'Only this action, such as `monitor.update`, or every action of a kind, such as `monitor`.',
  target: 'Only what was done to the thing with this id.',
  query: 'A part of the address or of the name, or the whole id.',
};
