// Imported before any server code, for tests that make thousands of calls.
Object.assign(process.env, {
  RATE_LIMIT_PER_MINUTE: '0',
  AUTH_RATE_LIMIT_PER_MINUTE: '0',
  PAGE_RATE_LIMIT_PER_MINUTE: '0',
  MAIL_PER_TEAM_PER_DAY: '0',
  MAIL_PER_ADDRESS_PER_DAY: '0',
});
